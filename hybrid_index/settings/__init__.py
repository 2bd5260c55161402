"""The only reader of configuration: layers of files, environment and command line become one frozen object.

Packages below never read configuration; they receive the frozen options that `Settings` builds for them.
"""

from hybrid_index.settings.layers import user_settings_path, workspace_settings_path
from hybrid_index.settings.settings import SettingRow, Settings

__all__ = ["SettingRow", "Settings", "user_settings_path", "workspace_settings_path"]
