import { Construct } from 'constructs';
import { fileProblem } from '../src/manifest/model/locatedProblem.ts';
import { freeId } from './freeId.ts';
import { report } from './mistakes.ts';
import { Origin } from './origin.ts';
import { StackError } from './stackError.ts';
import { enclosingStack, stackBrand } from './stackOf.ts';
import { type SynthesizedDocument, synthesize } from './synthesize.ts';

export interface StackProps {
  /**
   * The name under which the platform knows what belongs to the stack, where neither `--stack` nor `gantry.yaml` says
   * another one: letters, digits, hyphens and underscores.
   *
   * @default the construct id; inside of other constructs, their ids before it, joined by hyphens
   */
  readonly name?: string | undefined;
}

/** What is planned and applied as one. Several stacks of an app are several deployments, each with its own name. */
export class Stack extends Construct {
  readonly [stackBrand] = true;
  readonly name: string;
  /** Where user code made it. */
  readonly origin: Origin;

  /** Errors: `stack.nested`: a stack inside of another one. */
  constructor(scope: Construct, id: string, { name }: StackProps = {}) {
    super(scope, freeId(scope, id));
    this.origin = new Origin(new.target);
    this.name = name ?? this.node.path.replaceAll('/', '-');
    const around = enclosingStack(scope);
    if (around === undefined) return;
    const message = `this stack is inside of the stack "${around.node.path}"`;
    const hint =
      'Make it beside that one, in the App: each stack is planned by itself. A group inside of a stack is a Construct.';
    report(new StackError([fileProblem(this.origin.position(), 'stack.nested', message, hint)]), this, this.origin);
  }

  synth(): readonly SynthesizedDocument[] {
    return synthesize(this);
  }
}
