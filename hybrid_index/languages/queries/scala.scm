; Classes, traits, objects, enums, functions, values, givens, types.
(class_definition name: (identifier) @name) @definition.class
(trait_definition name: (identifier) @name) @definition.trait
(object_definition name: (identifier) @name) @definition.object
(package_object name: (identifier) @name) @definition.object
(enum_definition name: (identifier) @name) @definition.enum
(simple_enum_case name: (identifier) @name) @definition.enum_member
(full_enum_case name: (identifier) @name) @definition.enum_member
(function_definition name: (_) @name) @definition.function
(function_declaration name: (_) @name) @definition.function
(template_body (val_definition pattern: (identifier) @name) @definition.property)
(template_body (val_declaration name: (identifier) @name) @definition.property)
(template_body (var_definition pattern: (identifier) @name) @definition.property)
(compilation_unit (val_definition pattern: (identifier) @name) @definition.variable)
(given_definition name: (identifier) @name) @definition.property
(type_definition name: (type_identifier) @name) @definition.type
