; Modules, protocols, functions and macros are calls of macros; `@doc` texts are documentation.
(call
  target: (identifier) @_keyword
  (arguments . (alias) @name)
  (#one-of? @_keyword "defmodule")) @definition.module
(call
  target: (identifier) @_keyword
  (arguments . (alias) @name)
  (#one-of? @_keyword "defprotocol")) @definition.protocol
(call
  target: (identifier) @_keyword
  (arguments . (alias) @name)
  (#one-of? @_keyword "defimpl")) @scope
(call
  target: (identifier) @_keyword
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name) operator: "when")
  ])
  (#one-of? @_keyword "def" "defp" "defdelegate" "defguard" "defguardp" "defcallback")) @definition.function
(call
  target: (identifier) @_keyword
  (arguments . [
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name) operator: "when")
  ])
  (#one-of? @_keyword "defmacro" "defmacrop")) @definition.macro
(call
  target: (identifier) @_keyword
  (arguments . (string (quoted_content) @name))
  (#one-of? @_keyword "test" "describe")) @definition.test
