; Modules, classes, methods, constants and the readers and writers that `attr_*` makes.
(module name: (_) @name) @definition.module
(class name: (_) @name) @definition.class
(method name: (_) @name) @definition.method
(singleton_method name: (_) @name) @definition.method
(assignment left: (constant) @name) @definition.const
(call
  method: (identifier) @_attr
  arguments: (argument_list (simple_symbol) @name)
  (#one-of? @_attr "attr_reader" "attr_writer" "attr_accessor")) @definition.property
