import { suggest } from '../src/base/text/suggest.ts';
import { available } from '../src/base/text/suggestion.ts';
import { ToolError } from '../src/base/toolError.ts';

/**
 * Where the program that loads a stack file says which environment was asked for (`--env`), and learns whether the
 * stack wanted to know. A registered symbol, because the stack may use another copy of this package than the program.
 */
export const environmentAsked: unique symbol = Symbol.for('gantry.environment');

/** The question as the program that loads a stack file passes it on. */
interface Asked {
  readonly name: string | undefined;
  /** Of `gantry.yaml`. */
  readonly values: object;
}

/** The environment that an app is made for. */
export interface AppEnvironment<Values extends object = object> {
  /** As `--env` names it. */
  readonly name: string;
  /**
   * The values under `environments.NAME.values` of `gantry.yaml`. Nothing checks them against the type that code gives
   * them.
   */
  readonly values: Values;
}

/** One of the environments, with its configuration. */
export interface Environment<Name extends string, Config> {
  /** As `--env` names it. */
  readonly name: Name;
  /** The configuration of the environment. */
  readonly config: Config;
}

/** For a command line without `--env`. */
export interface EnvironmentsOptions<Name extends string> {
  /** The environment that is meant where none is named. @default none: an environment has to be named */
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
 * Or all of them from one run, a stack for each: `for (const { name, config } of environments.all()) …`. Each
 * environment needs a stack of its own name: what one stack no longer declares is deleted.
 */
export class Environments<const Configs extends { readonly [name: string]: object }> {
  readonly #configs: Configs;
  readonly #fallback: Name<Configs> | undefined;

  constructor(configs: Configs, { fallback }: EnvironmentsOptions<Name<Configs>> = {}) {
    this.#configs = configs;
    this.#fallback = fallback;
  }

  /**
   * The one that was asked for.
   *
   * Errors: `stack.environment` where none was, or one that is not there.
   */
  current(): Chosen<Configs> {
    const name = askedFor().name ?? this.#fallback;
    if (name !== undefined) return this.parse(name);
    throw wrong('no environment was chosen', `Choose one: --env NAME, or GANTRY_ENV. ${this.#list()}`);
  }

  /** One by a name that the compiler cannot see. Errors: `stack.environment` where it is not there. */
  parse(name: string): Chosen<Configs> {
    const found = this.all().find((each) => each.name === name);
    if (found !== undefined) return found;
    const meant = suggest(name, Object.keys(this.#configs));
    const hint = `${meant === undefined ? '' : `Did you mean ${meant}? `}${this.#list()}`;
    throw wrong(`there is no environment ${JSON.stringify(name)}`, hint);
  }

  /** One by its name, as in a test. */
  get<const Wanted extends Name<Configs>>(name: Wanted): Environment<Wanted, Configs[Wanted]> {
    return { name, config: this.#configs[name] };
  }

  /** All of them, in the order in which they were given. */
  all(): readonly Chosen<Configs>[] {
    return Object.entries(this.#configs).map(([name, config]) => ({ name, config }) as Chosen<Configs>); // its own entries
  }

  #list(): string {
    return available(Object.keys(this.#configs));
  }
}

type Name<Configs> = keyof Configs & string;

/** One environment each: where all configurations have the same members, so does `config`. */
type Chosen<Configs> = { [Each in Name<Configs>]: Environment<Each, Configs[Each]> }[Name<Configs>];

/** The environment that was asked for, with its values. Errors: `stack.environment` where none was. */
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
