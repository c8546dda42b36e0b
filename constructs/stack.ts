import { Construct } from 'constructs';
import { fileProblem } from '../src/manifest/model/locatedProblem.ts';
import { withAnyIds } from './anyIds.ts';
import type { App } from './app.ts';
import { Origin } from './origin.ts';
import { StackError } from './stackError.ts';
import { type SynthesizedDocument, synthesize } from './synthesize.ts';

const stackBrand: unique symbol = Symbol.for('gantry.stack');

/** The group of the resources of an app. The name under which they are owned comes from `gantry.yaml` or `--stack`. */
export class Stack extends Construct {
  readonly [stackBrand] = true;

  /** Errors: `stack.second`: an app holds one stack. */
  constructor(scope: App, id: string) {
    super(withAnyIds(scope), id);
    withAnyIds(this);
    const other = this.node.root.node.findAll().find((construct) => construct !== this && stackBrand in construct);
    if (other === undefined) return;
    const message = `the app has a stack already, "${other.node.path}"`;
    const hint = 'Put both into one Stack, or give each a file and a gantry.yaml of its own: they are planned apart.';
    throw new StackError([fileProblem(new Origin(new.target).position(), 'stack.second', message, hint)]);
  }

  synth(): readonly SynthesizedDocument[] {
    return synthesize(this);
  }
}
