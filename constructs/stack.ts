import { Construct, type IConstruct } from 'constructs';
import { meantOrAvailable } from '../src/base/text/suggestion.ts';
import { ToolError } from '../src/base/toolError.ts';
import { fileProblem } from '../src/manifest/model/locatedProblem.ts';
import { freeId } from './freeId.ts';
import { report } from './mistakes.ts';
import { Origin } from './origin.ts';
import { isOutput } from './output.ts';
import { StackError } from './stackError.ts';
import { enclosingStack, stackBrand } from './stackOf.ts';
import { type SynthesizedDocument, synthesize } from './synthesize.ts';

export interface StackProps {
  /**
   * The name by which the platform records the ownership of resources, unless `--stack` or `gantry.yaml` sets another
   * one: letters, digits, hyphens and underscores.
   *
   * @default the construct id; inside of other constructs, their ids before it, joined by hyphens
   */
  readonly name?: string | undefined;
}

/**
 * Resources that are planned and applied together. Several stacks of an app are several deployments, each with its own
 * name.
 */
export class Stack extends Construct {
  readonly [stackBrand] = true;
  readonly name: string;
  /** The position in user code that created it. */
  readonly origin: Origin;

  /** Errors: `stack.nested` if it is inside of another stack. */
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

  /** The stack of a construct, which may be the construct itself. Errors: `stack.of` if it is in no stack. */
  static of(construct: IConstruct): Stack {
    const stack = enclosingStack(construct);
    if (stack !== undefined) return stack as Stack; // a stack of another copy of this package has the same members
    const { path } = construct.node;
    throw new ToolError({
      code: 'stack.of',
      message: `${path === '' ? 'the app' : JSON.stringify(path)} is in no stack`,
      hint: 'Make it inside of a Stack, or ask for a construct that is in one.',
    });
  }

  /**
   * The values of its outputs by name, for another stack: `network.outputs.url`. An `Output` has its own value as
   * `value`, with its type.
   *
   * Errors: `stack.output` if no output with the name was created before.
   */
  get outputs(): { readonly [name: string]: string } {
    const made = this.node.findAll().filter(isOutput);
    const values = new Map(made.map(({ name, value }) => [name, value]));
    const get = (_: object, name: string | symbol) => {
      if (typeof name === 'symbol' || name === 'toJSON' || name === 'then') return undefined;
      if (values.has(name)) return values.get(name);
      report(unknownOutput(this.name, name, [...values.keys()]), this, new Origin(get));
      return '';
    };
    return new Proxy<{ readonly [name: string]: string }>(
      {},
      {
        get,
        has: (_, name) => typeof name === 'string' && values.has(name),
        ownKeys: () => [...values.keys()],
        getOwnPropertyDescriptor: (_, name) =>
          typeof name === 'string' && values.has(name)
            ? { value: values.get(name), enumerable: true, configurable: true }
            : undefined,
      },
    );
  }

  synth(): readonly SynthesizedDocument[] {
    return synthesize(this);
  }
}

function unknownOutput(stack: string, name: string, known: readonly string[]): ToolError {
  return new ToolError({
    code: 'stack.output',
    message: `the stack "${stack}" has no output ${JSON.stringify(name)}`,
    hint: `${meantOrAvailable(name, known)} Make it before it is used: new Output(stack, ${JSON.stringify(name)}, VALUE).`,
  });
}
