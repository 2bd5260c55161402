; Classes, objects, functions with their receiver's type, properties of files and types.
(class_declaration "interface" name: (identifier) @name) @definition.interface
(class_declaration name: (identifier) @name) @definition.class
(object_declaration name: (identifier) @name) @definition.object
(companion_object name: (identifier) @name) @definition.object
(function_declaration name: (identifier) @name) @definition.function
(type_alias type: (identifier) @name) @definition.type
(source_file (property_declaration (variable_declaration . (identifier) @name)) @definition.property)
(class_body (property_declaration (variable_declaration . (identifier) @name)) @definition.property)
(enum_entry (identifier) @name) @definition.enum_member
