; Functions, whether declared or assigned, and the tables of a file.
(function_declaration name: (_) @name) @definition.function
(assignment_statement
  (variable_list . name: (_) @name)
  (expression_list . value: (function_definition))) @definition.function
(variable_declaration
  (assignment_statement
    (variable_list . name: (_) @name)
    (expression_list . value: (function_definition)))) @definition.function
(field name: (identifier) @name value: (function_definition)) @definition.function
(chunk
  (variable_declaration
    (assignment_statement
      (variable_list . name: (identifier) @name)
      (expression_list . value: (table_constructor)))) @definition.variable)
