import { suggest } from '../src/base/text/suggest.ts';
import { available } from '../src/base/text/suggestion.ts';
import { ToolError } from '../src/base/toolError.ts';

/**
 * The key under which the program that loads a stack file passes the requested environment (`--env`), and learns
 * whether the stack used it. A registered symbol, because the stack may use another copy of this package than the
 * program.
 */
export const environmentAsked: unique symbol = Symbol.for('gantry.environment');

/** The requested environment. */
interface Asked {
  readonly name: string | undefined;
  /** From `gantry.yaml`. */
  readonly values: object;
}

/** The environment for which an app is created. */
export interface AppEnvironment<Values extends object = object> {
  /** The name in `--env`. */
  readonly name: string;
  /** The values under `environments.NAME.values` of `gantry.yaml`. They are not checked against the type in code. */
  readonly values: Values;
}

/** One of the environments, with its configuration. */
export interface Environment<Name extends string, Config> {
  /** The name in `--env`. */
  readonly name: Name;
  /** The configuration of the environment. */
  readonly config: Config;
}

/** For a command line without `--env`. */
export interface EnvironmentsOptions<Name extends string> {
  /** The environment if none is named. @default none: an environment must be named */
  readonly fallback?: Name;
}

/**
 * The environments of a tree, each with its typed configuration.
 *
 *     interface Config { readonly replicas: number; readonly host: string }
 *     const environments = new Environments({
 *       staging: { replicas: 1, host: 'staging.example.com' },
 *       prod: { replicas: 3, host: 'example.com' },
 *     } satisfies Record<string, Config>);
 *
 *     const { name, config } = environments.current(); // of --env NAME, GANTRY_ENV, or `env: NAME` of gantry.yaml
 *     const stack = new Stack(app, `shop-${name}`);
 *
 * For all of them in one run, a stack for each: `for (const { name, config } of environments.all()) …`. Each
 * environment needs a stack with another name, because resources that a stack no longer declares are deleted.
 */
export class Environments<const Configs extends { readonly [name: string]: object }> {
  readonly #configs: Configs;
  readonly #fallback: Name<Configs> | undefined;

  constructor(configs: Configs, { fallback }: EnvironmentsOptions<Name<Configs>> = {}) {
    this.#configs = configs;
    this.#fallback = fallback;
  }

  /**
   * The requested environment.
   *
   * Errors: `stack.environment` if none was requested, or if it does not exist.
   */
  current(): Chosen<Configs> {
    const name = askedFor().name ?? this.#fallback;
    if (name !== undefined) return this.parse(name);
    throw wrong('no environment was chosen', `Choose one: --env NAME, or GANTRY_ENV. ${this.#list()}`);
  }

  /** The environment with a name that the compiler does not know. Errors: `stack.environment` if it does not exist. */
  parse(name: string): Chosen<Configs> {
    const found = this.all().find((each) => each.name === name);
    if (found !== undefined) return found;
    const meant = suggest(name, Object.keys(this.#configs));
    const hint = `${meant === undefined ? '' : `Did you mean ${meant}? `}${this.#list()}`;
    throw wrong(`there is no environment ${JSON.stringify(name)}`, hint);
  }

  /** The environment with this name, for example in a test. */
  get<const Wanted extends Name<Configs>>(name: Wanted): Environment<Wanted, Configs[Wanted]> {
    return { name, config: this.#configs[name] };
  }

  /** All environments, in the order in which they were given. */
  all(): readonly Chosen<Configs>[] {
    return Object.entries(this.#configs).map(([name, config]) => ({ name, config }) as Chosen<Configs>); // its own entries
  }

  #list(): string {
    return available(Object.keys(this.#configs));
  }
}

type Name<Configs> = keyof Configs & string;

/** A union of all environments: if all configurations have the same members, so does `config`. */
type Chosen<Configs> = { [Each in Name<Configs>]: Environment<Each, Configs[Each]> }[Name<Configs>];

/** The requested environment, with its values. Errors: `stack.environment` if none was requested. */
export function environmentOfApp(): AppEnvironment {
  const { name, values } = askedFor();
  if (name !== undefined) return { name, values };
  const hint =
    'Choose one: --env NAME, GANTRY_ENV, or `env: NAME` in gantry.yaml. In a test: new App({ environment }).';
  throw wrong('no environment was chosen', hint);
}

function askedFor(): Asked {
  const asked: unknown = Reflect.get(globalThis, environmentAsked);
  if (typeof asked !== 'object' || asked === null) return { name: undefined, values: {} };
  Reflect.set(asked, 'wanted', true);
  return {
    name: 'name' in asked && typeof asked.name === 'string' ? asked.name : undefined,
    values: 'values' in asked && typeof asked.values === 'object' && asked.values !== null ? asked.values : {},
  };
}

function wrong(message: string, hint: string): ToolError {
  return new ToolError({ code: 'stack.environment', message, hint });
}
