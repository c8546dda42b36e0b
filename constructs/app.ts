import { RootConstruct } from 'constructs';
import { collect } from './appCollector.ts';
import { type SynthesizedDocument, synthesize } from './synthesize.ts';

/** The root of a stack's tree. One at the top level of a stack file is found by itself; it need not be exported. */
export class App extends RootConstruct {
  constructor() {
    super('');
    collect(this);
  }

  /** The manifests of all resources in the tree, with the places in user code where they were made. */
  synth(): readonly SynthesizedDocument[] {
    return synthesize(this);
  }
}
