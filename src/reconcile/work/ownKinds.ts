import { AsyncLocalStorage } from 'node:async_hooks';
import { type CustomKindFacts, separateCustomKinds } from '../../schema/record/customKinds.ts';

const atHand = new AsyncLocalStorage<Map<string, CustomKindFacts>>();
separateCustomKinds(() => atHand.getStore());

/**
 * The custom kinds of one stack. A worker has several stacks at a time, and what one of them says of a kind must not
 * count for the others.
 */
export class OwnKinds {
  readonly #kinds = new Map<string, CustomKindFacts>();

  /** Kinds that the work defines are known to this stack, and it knows no others, until the work has ended. */
  within<T>(work: () => T): T {
    return atHand.run(this.#kinds, work);
  }

  /** Equal where the same is known. */
  get text(): string {
    return JSON.stringify([...this.#kinds].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
