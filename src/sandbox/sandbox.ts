import * as variants from '@jitl/quickjs-wasmfile-release-sync';
import {
  type Intrinsics,
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { present } from '../base/json/present.ts';
import { readThrown } from '../base/thrown.ts';
import { longestText, SandboxFailure } from './failure.ts';

/** The values that cross the border of a sandbox: primitives, and anything else as JSON text, never an object. */
export type Plain = string | number | boolean | undefined;

export interface SandboxOptions {
  /** Limit of the heap. If absent, the memory of the engine is the limit. */
  readonly memoryBytes?: number;
  readonly stackBytes: number;
  /** The built-in objects. If absent, all of the language. */
  readonly intrinsics?: Intrinsics;
  /** Called some hundred times in 10 ms while code runs, also within a regular expression; true ends the code. */
  readonly isOver: () => boolean;
  /** The modules that can be imported; none if absent. */
  readonly modules?: ModuleSource;
}

/** Neither uses `this`. */
export interface ModuleSource {
  /** The name of the module for `specifier` in the module `importer`. Errors are thrown there. */
  readonly resolve: (importer: string, specifier: string) => string;
  /** The text of a module. Errors are thrown by its import. */
  readonly read: (name: string) => string;
}

declare global {
  namespace WebAssembly {
    interface Memory {
      readonly buffer: ArrayBuffer;
    }
    const Memory: new (pages: { readonly initial: number; readonly maximum: number }) => Memory;
  }
}

const pagesPerMebibyte = 16;

/** Memory for an engine, which limits everything that code in it uses. */
export function boundedMemory(mebibytes: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: 256, maximum: mebibytes * pagesPerMebibyte });
}

/**
 * An interpreter of JavaScript in WebAssembly: code in it has no access to this process, to files or to the network,
 * because it contains only the language.
 */
export function loadEngine(wasmMemory?: WebAssembly.Memory): Promise<QuickJSWASMModule> {
  const variant = [variants, variants.default, variants.default.default].find(isVariant);
  if (variant === undefined) throw new Error('the interpreter is missing');
  return newQuickJSWASMModuleFromVariant(wasmMemory === undefined ? variant : newVariant(variant, { wasmMemory }));
}

/** Bundlers, Node and the types of the package wrap it differently. */
function isVariant(value: unknown): value is QuickJSSyncVariant {
  return typeof value === 'object' && value !== null && 'importModuleLoader' in value;
}

export class Sandbox {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  #isOver = false;

  constructor(
    engine: QuickJSWASMModule,
    { memoryBytes = -1, stackBytes, intrinsics, isOver, modules }: SandboxOptions,
  ) {
    this.#runtime = engine.newRuntime({ memoryLimitBytes: memoryBytes, maxStackSizeBytes: stackBytes });
    this.#context = this.#runtime.newContext(present({ intrinsics }));
    this.#runtime.setInterruptHandler(() => {
      this.#isOver ||= isOver();
      return this.#isOver;
    });
    if (modules !== undefined) this.#load(modules);
  }

  /** The interpreter discards an exception while it resolves a name, so reading the module throws it instead. */
  #load({ resolve, read }: ModuleSource): void {
    const refused = new Map<string, Error>();
    this.#runtime.setModuleLoader(
      (name) => {
        const error = refused.get(name);
        return error === undefined ? attempt(() => read(name)) : { error };
      },
      (importer, specifier) => {
        const resolved = attempt(() => resolve(importer, specifier));
        if ('value' in resolved) return resolved.value;
        const name = `refused:${refused.size}`;
        refused.set(name, resolved.error);
        return name;
      },
    );
  }

  close(): void {
    this.#context.dispose();
    this.#runtime.dispose();
  }

  /** The value of the last statement of a script. Errors: `SandboxFailure`. */
  run(script: string): Plain {
    return this.#guarded(() => this.#plain(this.#taken(this.#context.evalCode(script, 'script'))));
  }

  /** A function from a script, to be passed to code in the sandbox. */
  functionOf(script: string, name: string): SandboxFunction {
    return this.#guarded(() => new SandboxFunction(this.#taken(this.#context.evalCode(script, name))));
  }

  functionsOf(module: string, name: string): (exported: string) => SandboxFunction {
    return this.#guarded(() => {
      const exports = this.#taken(this.#context.evalCode(module, name, { type: 'module' }));
      return (exported) => new SandboxFunction(this.#context.getProp(exports, exported));
    });
  }

  /** A function of this process that code in the sandbox can call with texts; its exceptions are thrown there. */
  provide(work: (...texts: readonly string[]) => Plain | SandboxFunction): SandboxFunction {
    const handle = this.#context.newFunction('provided', (...parameters) => {
      const result = work(...parameters.map((each) => this.#context.getString(each)));
      return result instanceof SandboxFunction ? result.handle : this.#handleOf(result);
    });
    return new SandboxFunction(handle);
  }

  /** The value that a function returns, or with which its promise is fulfilled. Errors: `SandboxFailure`. */
  call(called: SandboxFunction, ...parameters: readonly (Plain | SandboxFunction)[]): Plain {
    return this.#guarded(() => {
      const handles = parameters.map((each) => (each instanceof SandboxFunction ? each.handle : this.#handleOf(each)));
      const result = this.#taken(this.#context.callFunction(called.handle, this.#context.undefined, handles));
      for (const [index, each] of parameters.entries()) {
        if (!(each instanceof SandboxFunction)) handles[index]?.dispose();
      }
      return this.#plain(this.#settled(result));
    });
  }

  /** Runs pending promise jobs, and unwraps a returned promise. */
  #settled(result: QuickJSHandle): QuickJSHandle {
    const jobs = this.#runtime.executePendingJobs();
    if (jobs.error !== undefined) this.#taken({ error: jobs.error });
    const state = this.#context.getPromiseState(result);
    if (state.type === 'fulfilled') return state.value;
    if (state.type === 'rejected') return this.#taken({ error: state.error });
    throw this.#isOver ? new SandboxFailure('over') : new SandboxFailure('pending');
  }

  #taken(result: {
    readonly error?: QuickJSHandle | undefined;
    readonly value?: QuickJSHandle | undefined;
  }): QuickJSHandle {
    if (result.error === undefined && result.value !== undefined) return result.value;
    const error: unknown = this.#isOver || result.error === undefined ? undefined : this.#context.dump(result.error);
    result.error?.dispose();
    if (this.#isOver) throw new SandboxFailure('over');
    const { name, message } = readThrown(error);
    // If there is no memory for an error either, null is thrown.
    if (error === null || (name === 'InternalError' && message === 'out of memory')) throw new SandboxFailure('memory');
    throw new SandboxFailure('thrown', `${name}: ${message}`);
  }

  #guarded<Result>(work: () => Result): Result {
    try {
      const result = work();
      if (!this.#isOver) return result;
    } catch (error) {
      // The interpreter's frames also use its thread's stack, which a deeply nested text may exhaust first.
      if (error instanceof RangeError) throw new SandboxFailure('stack');
      if (!this.#isOver) throw error;
    }
    throw new SandboxFailure('over');
  }

  #handleOf(value: Plain): QuickJSHandle {
    if (value === undefined) return this.#context.undefined;
    if (typeof value === 'string') return this.#context.newString(value);
    return typeof value === 'number'
      ? this.#context.newNumber(value)
      : value
        ? this.#context.true
        : this.#context.false;
  }

  #plain(handle: QuickJSHandle): Plain {
    const type = this.#context.typeof(handle);
    if (type === 'string') return this.#text(handle);
    const value: unknown = type === 'number' || type === 'boolean' ? this.#context.dump(handle) : undefined;
    handle.dispose();
    return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
  }

  #text(handle: QuickJSHandle): string {
    const length = this.#context.getProp(handle, 'length').consume((each) => this.#context.getNumber(each));
    if (length > longestText) throw new SandboxFailure('size');
    return handle.consume((each) => this.#context.getString(each));
  }
}

export class SandboxFunction {
  readonly handle: QuickJSHandle;

  constructor(handle: QuickJSHandle) {
    this.handle = handle;
  }
}

function attempt(work: () => string): { readonly value: string } | { readonly error: Error } {
  try {
    return { value: work() };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}
