"""Compiles what only kernels call as far as those need: to LLVM's intermediate code, function by function.

numba optimises and emits every function together with all that it calls, so a kernel below ten others was made
ten times over. Machine code is made only of the kernels that Python calls, each with all that it calls inside.
Of an inner kernel numba's cache keeps the intermediate code, and an object of nothing but its environment.
"""
# mypy: allow-untyped-calls

from __future__ import annotations

from typing import Any

from llvmlite import binding
from numba.core import codegen, compiler, typed_passes
from numba.core.compiler_machinery import register_pass

from games.natural_indices import make_natural


class EntryLibrary(codegen.JITCodeLibrary):
    """Code of a kernel that Python calls, with all that it calls: nobody else sees those."""

    def _optimize_final_module(self) -> None:
        """Let LLVM change how functions that were linked in are called, and inline those that are called once."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.linkonce_odr:
                function.linkage = "internal"
        super()._optimize_final_module()


class InnerLibrary(codegen.JITCodeLibrary):
    """Code of a function that others are linked with, and that nobody runs by itself."""

    def finalize(self) -> None:
        """Link in what the function calls, keep that for its callers, and emit the environment alone."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True
        self._shared_module = self._get_module_for_linking()
        self._final_module = self._environment_of(self._final_module)
        self._finalize_final_module()

    def _environment_of(self, module: Any) -> Any:
        """A module of the global variables that numba sets where a function is loaded."""
        names = [variable.name for variable in module.global_variables if variable.name.startswith("_ZN08NumbaEnv")]
        text = "\n".join(f'@"{name}" = common global ptr null' for name in names)
        found = binding.parse_assembly(f'target triple = "{module.triple}"\n{text}')
        found.name, found.data_layout = module.name, module.data_layout
        return found


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(typed_passes.NativeLowering):
    """numba's lowering with `natural_indices`, into a library of our own."""

    _name = "kernel_lowering"
    library: type[codegen.JITCodeLibrary] = EntryLibrary

    def run_pass(self, state: Any) -> bool:
        """Lower with indices as they are."""
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        make_natural(state)
        is_changed: bool = super().run_pass(state)
        return is_changed


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(KernelLowering):
    """The same into an `InnerLibrary`."""

    _name = "inner_lowering"
    library = InnerLibrary


class KernelFlags(compiler.Flags):
    """Options of a function that is compiled, compared by those that were set.

    numba compares them whenever it looks up an overload, and looks at all forty then: a quarter of all compiling.
    """

    def __eq__(self, other: object) -> bool:
        """Whether the same was set to the same."""
        return isinstance(other, KernelFlags) and self._values == other._values

    def __hash__(self) -> int:
        """The number of options set: there are few sets of them."""
        return len(self._values)


class KernelCompiler(compiler.CompilerBase):
    """numba's usual passes but for `KernelLowering`; for ``njit(pipeline_class=KernelCompiler)``."""

    lowering: type[KernelLowering] = KernelLowering

    def __init__(self, typing: Any, target: Any, library: Any, args: Any, returns: Any, flags: Any, names: Any) -> None:
        super().__init__(typing, target, library, args, returns, KernelFlags(flags), names)

    def define_pipelines(self) -> list[Any]:
        """The passes of nopython mode."""
        passes = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(self.lowering if of is typed_passes.NativeLowering else of, why) for of, why in passes.passes]
        passes.finalize()
        return [passes]


class InnerCompiler(KernelCompiler):
    """The same for kernels that only kernels call."""

    lowering = InnerLowering
