; Classes, functions however they are written (declared, assigned, as members of objects), top-level variables.
(class_declaration name: (_) @name) @definition.class
(export_statement declaration: (class_declaration name: (_) @name)) @definition.class
(program (lexical_declaration (variable_declarator name: (identifier) @name value: (class))) @definition.class)
(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(export_statement declaration: (function_declaration name: (identifier) @name)) @definition.function
(method_definition name: (_) @name) @definition.method
(class_body (field_definition property: (_) @name) @definition.field)
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
