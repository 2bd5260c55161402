; What JavaScript has, and interfaces, types, enums, namespaces, signatures.
(class_declaration name: (_) @name) @definition.class
(abstract_class_declaration name: (_) @name) @definition.class
(export_statement declaration: (class_declaration name: (_) @name)) @definition.class
(export_statement declaration: (abstract_class_declaration name: (_) @name)) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(export_statement declaration: (interface_declaration name: (_) @name)) @definition.interface
(type_alias_declaration name: (_) @name) @definition.type
(export_statement declaration: (type_alias_declaration name: (_) @name)) @definition.type
(enum_declaration name: (_) @name) @definition.enum
(export_statement declaration: (enum_declaration name: (_) @name)) @definition.enum
(internal_module name: (_) @name) @definition.module
(module name: (_) @name) @definition.module
(function_signature name: (identifier) @name) @definition.function
(abstract_method_signature name: (_) @name) @definition.method
(interface_body (method_signature name: (_) @name) @definition.method)
(class_body (method_signature name: (_) @name) @definition.method)
(interface_body (property_signature name: (_) @name) @definition.property)
(class_body (public_field_definition name: (_) @name) @definition.field)
(program (lexical_declaration (variable_declarator name: (identifier) @name value: (class))) @definition.class)
(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(export_statement declaration: (function_declaration name: (identifier) @name)) @definition.function
(method_definition name: (_) @name) @definition.method
(lexical_declaration
  (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])) @definition.function
(variable_declaration
  (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])) @definition.function
(export_statement
  declaration: (lexical_declaration
    (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]))) @definition.function
(expression_statement
  (assignment_expression
    left: (member_expression) @name
    right: [(arrow_function) (function_expression) (class)])) @definition.function
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @definition.method
(program (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.variable)
(program (variable_declaration (variable_declarator name: (identifier) @name)) @definition.variable)
(export_statement
  declaration: (lexical_declaration (variable_declarator name: (identifier) @name))) @definition.variable
