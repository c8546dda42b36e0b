import { isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import type { Explainable } from '../../change/explain/explainChange.ts';
import type { Proof } from '../../change/explain/explanation.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { Notice } from '../../project/session/notice.ts';
import type { ProjectNames } from '../../project/session/session.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { Answer } from '../../terminal/answer/answer.ts';
import type { ReportNotes } from '../../terminal/line/context.ts';

/** What a command says for programs, and on the way: all that its reports are made of. It goes on to where it went. */
export class Collected implements Answer, ReportNotes {
  readonly #answer: Answer;
  readonly #wantsProofs: boolean;
  readonly #proofs = new Map<string, ReadonlyMap<ResourceId, Proof>>();
  readonly #problems: LocatedProblem[] = [];
  #document: JsonValue = null;
  #names: ProjectNames = {};
  #stacks: readonly string[] = [];

  constructor(answer: Answer, wantsProofs: boolean) {
    this.#answer = answer;
    this.#wantsProofs = wantsProofs;
  }

  get told() {
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

  name(names: ProjectNames): void {
    this.#names = names;
  }

  stacks(owners: readonly string[]): void {
    this.#stacks = owners;
  }

  hear(notice: Notice): void {
    if (notice.type === 'problems') this.#problems.push(...notice.problems);
  }

  async prove(explainable: Explainable): Promise<void> {
    if (!this.#wantsProofs) return;
    const { proofsOf } = await import('../../change/explain/explainChange.ts');
    this.#proofs.set(explainable.plan.stack, proofsOf(explainable));
  }
}
