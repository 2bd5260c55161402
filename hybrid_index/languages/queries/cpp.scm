; Classes and functions with their templates, members declared and defined, namespaces, aliases, macros.
(namespace_definition name: (_) @name) @definition.namespace
(class_specifier name: (_) @name body: (_)) @definition.class
(template_declaration (class_specifier name: (_) @name body: (_))) @definition.class
(struct_specifier name: (_) @name body: (_)) @definition.struct
(template_declaration (struct_specifier name: (_) @name body: (_))) @definition.struct
(union_specifier name: (type_identifier) @name body: (_)) @definition.union
(enum_specifier name: (_) @name body: (_)) @definition.enum
(enumerator name: (identifier) @name) @definition.enum_member
(alias_declaration name: (type_identifier) @name) @definition.type
(type_definition declarator: (type_identifier) @name) @definition.type
(concept_definition name: (identifier) @name) @definition.type
(function_definition declarator: (function_declarator declarator: (_) @name)) @definition.function
(function_definition
  declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @definition.function
(function_definition
  declarator: (reference_declarator (function_declarator declarator: (_) @name))) @definition.function
(template_declaration
  (function_definition declarator: (function_declarator declarator: (_) @name))) @definition.function
(template_declaration
  (function_definition
    declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name)))) @definition.function
(template_declaration
  (function_definition
    declarator: (reference_declarator (function_declarator declarator: (_) @name)))) @definition.function
(translation_unit
  (declaration declarator: (function_declarator declarator: (identifier) @name)) @definition.function)
(declaration_list
  (declaration declarator: (function_declarator declarator: (identifier) @name)) @definition.function)
(field_declaration_list
  (declaration declarator: (function_declarator declarator: (_) @name)) @definition.function)
(field_declaration declarator: (function_declarator declarator: (_) @name)) @definition.function
(field_declaration
  declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @definition.function
(field_declaration
  declarator: (reference_declarator (function_declarator declarator: (_) @name))) @definition.function
(field_declaration declarator: (field_identifier) @name) @definition.field
(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro
