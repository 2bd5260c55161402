; Functions with their signatures, types, classes and their methods, instances as scopes.
(data_type name: (_) @name) @definition.type
(newtype name: (_) @name) @definition.type
(type_synonym name: (_) @name) @definition.type
(class name: (_) @name) @definition.class
(instance name: (_) @name) @scope
(signature name: (_) @name) @definition.function
(function name: (_) @name) @definition.function
(haskell declarations: (declarations (bind name: (_) @name) @definition.function))
(data_constructor constructor: (prefix name: (_) @name)) @definition.enum_member
(data_constructor constructor: (record name: (_) @name)) @definition.enum_member
