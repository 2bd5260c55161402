; What a script creates: tables with their columns, views, routines, triggers, indexes, types.
(create_table (object_reference name: (identifier) @name)) @definition.table
(create_view (object_reference name: (identifier) @name)) @definition.view
(create_materialized_view (object_reference name: (identifier) @name)) @definition.view
(create_function (object_reference name: (identifier) @name)) @definition.function
(create_procedure (object_reference name: (identifier) @name)) @definition.procedure
(create_trigger . (object_reference name: (identifier) @name)) @definition.trigger
(create_index column: (identifier) @name) @definition.index
(create_type (object_reference name: (identifier) @name)) @definition.type
(create_schema (identifier) @name) @definition.schema
(create_sequence (object_reference name: (identifier) @name)) @definition.sequence
(column_definition name: (identifier) @name) @definition.column
