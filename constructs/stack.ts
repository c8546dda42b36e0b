import { Construct } from 'constructs';
import type { App } from './app.ts';
import { type SynthesizedDocument, synthesize } from './synthesize.ts';

/**
 * A group of resources in an app. All stacks of an app are planned together; the name under which they are owned comes
 * from `gantry.yaml` or `--stack`.
 */
export class Stack extends Construct {
  constructor(scope: App, id: string) {
    super(scope, id);
  }

  synth(): readonly SynthesizedDocument[] {
    return synthesize(this);
  }
}
