import { isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import type { Explainable } from '../../change/explainChange.ts';
import type { Proof } from '../../change/explanation.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { ProjectNames, StepEvent } from '../../project/session/event.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { Answer } from '../../terminal/answer.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { OutputOptions } from '../../terminal/options.ts';

type ProofsOf = (planned: Explainable) => ReadonlyMap<ResourceId, Proof>;

/** Collects the document and notices of a command, from which its reports are made, and passes them on. */
export class Collected implements Answer {
  readonly wanted = true;
  readonly #answer: Answer;
  readonly #proofsOf: ProofsOf | undefined;
  readonly #proofs = new Map<string, ReadonlyMap<ResourceId, Proof>>();
  readonly #problems: LocatedProblem[] = [];
  #document: JsonValue = null;
  #names: ProjectNames = {};
  #stacks: readonly string[] = [];

  private constructor(answer: Answer, proofsOf: ProofsOf | undefined) {
    this.#answer = answer;
    this.#proofsOf = proofsOf;
  }

  /**
   * Starts to collect; also returns the context for the observed command. `proofs`: also collect the proven effect of
   * each PATCH.
   */
  static async listen<O extends OutputOptions>(context: CommandContext<O>, proofs: boolean) {
    const { answer, tell } = context;
    const collected = new Collected(
      answer,
      proofs ? (await import('../../change/explainChange.ts')).proofsOf : undefined,
    );
    const listening = (event: StepEvent) => {
      collected.#observe(event);
      return tell(event);
    };
    const observed: CommandContext<O> = { ...context, answer: collected, tell: listening };
    return { collected, observed };
  }

  get contents() {
    const [names, stacks] = [this.#names, this.#stacks];
    return { document: this.#document, names, stacks, problems: this.#problems, proofs: this.#proofs };
  }

  document(value: JsonValue): void {
    this.#document = value;
    this.#answer.document(value);
  }

  add(members: JsonObject): void {
    this.#document = isObject(this.#document) ? { ...this.#document, ...members } : members;
    this.#answer.add(members);
  }

  publish(value: JsonValue): Promise<void> {
    this.#document = value;
    return this.#answer.publish(value);
  }

  #observe(event: StepEvent): void {
    switch (event.type) {
      case 'project':
        this.#names = event.names;
        break;
      case 'stacks':
        this.#stacks = event.owners;
        break;
      case 'problems':
        this.#problems.push(...event.problems);
        break;
      case 'plan':
        if (this.#proofsOf && event.from) this.#proofs.set(event.plan.stack, this.#proofsOf(event.from));
        break;
      default:
    }
  }
}
