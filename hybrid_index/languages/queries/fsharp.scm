; Modules, types of every form, their members and cases, values and functions.
(named_module name: (long_identifier) @name) @definition.module
(module_defn (identifier) @name) @definition.module
(namespace name: (long_identifier) @name) @definition.namespace
(type_definition (record_type_defn (type_name type_name: (_) @name))) @definition.record
(type_definition (union_type_defn (type_name type_name: (_) @name))) @definition.union
(type_definition (enum_type_defn (type_name type_name: (_) @name))) @definition.enum
(type_definition (interface_type_defn (type_name type_name: (_) @name))) @definition.interface
(type_definition (anon_type_defn (type_name type_name: (_) @name))) @definition.class
(type_definition (type_abbrev_defn (type_name type_name: (_) @name))) @definition.type
(type_definition (delegate_type_defn (type_name type_name: (_) @name))) @definition.delegate
(union_type_case (identifier) @name) @definition.enum_member
(enum_type_case (identifier) @name) @definition.enum_member
(record_field (identifier) @name) @definition.field
(member_defn (method_or_prop_defn name: (property_or_ident method: (identifier) @name))) @definition.method
(member_defn (member_signature (identifier) @name)) @definition.method
(declaration_expression (function_or_value_defn (function_declaration_left . (identifier) @name))) @definition.function
(declaration_expression
  (function_or_value_defn
    (value_declaration_left
      (identifier_pattern (long_identifier_or_op (identifier) @name))))) @definition.variable
