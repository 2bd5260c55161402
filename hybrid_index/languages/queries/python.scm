; Classes, functions and methods, module constants and class attributes; docstrings as documentation.
(class_definition name: (identifier) @name) @definition.class
(decorated_definition definition: (class_definition name: (identifier) @name)) @definition.class
(function_definition name: (identifier) @name) @definition.function
(decorated_definition definition: (function_definition name: (identifier) @name)) @definition.function
(module (expression_statement (assignment left: (identifier) @name)) @definition.variable)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @definition.field))
(class_definition name: (identifier) @name body: (block . (expression_statement (string) @doc)))
(function_definition name: (identifier) @name body: (block . (expression_statement (string) @doc)))
