import { RootConstruct } from 'constructs';
import { collect } from './appCollector.ts';
import { type AppEnvironment, environmentOfApp } from './environments.ts';
import { type SynthesizedDocument, synthesize } from './synthesize.ts';

export interface AppOptions<Values extends object> {
  /** In place of the environment that was chosen, as in a test. */
  readonly environment?: AppEnvironment<Values>;
}

/**
 * The root of a stack's tree. One at the top level of a stack file is found by itself; it need not be exported.
 *
 *     interface Values { readonly replicas: number }
 *     const { name, values } = new App<Values>().environment; // of --env NAME, with its values in gantry.yaml
 */
export class App<Values extends object = object> extends RootConstruct {
  readonly #given: AppEnvironment<Values> | undefined;

  constructor({ environment }: AppOptions<Values> = {}) {
    super('');
    this.#given = environment;
    collect(this);
  }

  /** The environment that was chosen. Errors: `stack.environment` where none was. */
  get environment(): AppEnvironment<Values> {
    return this.#given ?? (environmentOfApp() as AppEnvironment<Values>); // whoever writes the type knows gantry.yaml
  }

  /** The manifests of all resources in the tree, with the places in user code where they were made. */
  synth(): readonly SynthesizedDocument[] {
    return synthesize(this);
  }
}
