; Functions, containers by the constant that holds them, other constants, fields, tests.
(function_declaration name: (identifier) @name) @definition.function
(variable_declaration . (identifier) @name (struct_declaration)) @definition.struct
(variable_declaration . (identifier) @name (enum_declaration)) @definition.enum
(variable_declaration . (identifier) @name (union_declaration)) @definition.union
(source_file (variable_declaration . (identifier) @name) @definition.const)
(struct_declaration (variable_declaration . (identifier) @name) @definition.const)
(container_field name: (identifier) @name) @definition.field
(test_declaration (string (string_content) @name)) @definition.test
