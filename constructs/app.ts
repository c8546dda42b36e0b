import { RootConstruct } from 'constructs';
import { collect } from './appCollector.ts';
import { type AppEnvironment, environmentOfApp } from './environments.ts';
import { type SynthesizedDocument, synthesize } from './synthesize.ts';

export interface AppOptions<Values extends object> {
  /** Replaces the chosen environment, for example in a test. */
  readonly environment?: AppEnvironment<Values>;
}

/**
 * The root of a stack's tree. An app at the top level of a stack file is found automatically; it need not be exported.
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

  /** The chosen environment. Errors: `stack.environment` if none was chosen. */
  get environment(): AppEnvironment<Values> {
    return this.#given ?? (environmentOfApp() as AppEnvironment<Values>); // the author of the type knows gantry.yaml
  }

  /** The manifests of all resources in the tree, with the positions in user code that created them. */
  synth(): readonly SynthesizedDocument[] {
    return synthesize(this);
  }
}
