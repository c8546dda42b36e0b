import { randomUUID } from 'node:crypto';
import type { Undelivered } from '../../integrations/deliver.ts';
import type { Hook } from '../../integrations/hook.ts';
import {
  type Notification,
  notificationToJson,
  type StackNote,
  shortMessage,
} from '../../integrations/notification.ts';
import { postNotification } from '../../integrations/postNotification.ts';
import type { News } from '../decisions/news.ts';
import type { NotifyTarget, StackEntry } from '../model.ts';
import type { ClaimedNotice, Notice } from '../store/notices.ts';
import type { Query } from '../store/sql.ts';
import type { Store } from '../store/store.ts';

/** How a worker tells others what becomes of stacks. */
export interface Messenger {
  /** Of Gantry. */
  readonly version: string;
  /** Those that are told of all stacks, beside those of `reconcile.yaml`. */
  readonly targets: readonly NotifyTarget[];
  /** Errors: `reconcile.secret`, `notify.address`. */
  open(target: NotifyTarget): Promise<{ readonly hook: Hook; readonly secret?: string | undefined }>;
}

/** What a run knows of its stack. */
export interface RunNote {
  readonly id: string;
  readonly note: StackNote | undefined;
}

/** Writes notifications down, and delivers those that wait, each target in its own time. No run waits for it. */
export class Telling {
  readonly #store: Store;
  readonly #messenger: Messenger;
  readonly #warn: (text: string) => void;
  readonly #busy = new Map<string, Promise<void>>();
  #targets: ReadonlyMap<string, NotifyTarget> = new Map();
  #named: ReadonlySet<string> = new Set();

  constructor(store: Store, messenger: Messenger, warn: (text: string) => void) {
    this.#store = store;
    this.#warn = warn;
    this.#messenger = messenger;
  }

  /** `targets`: of `reconcile.yaml`. */
  async follow(targets: readonly NotifyTarget[]): Promise<void> {
    const all = [...targets, ...this.#messenger.targets];
    this.#named = new Set(targets.map(({ name }) => name));
    this.#targets = new Map(all.map((target) => [target.name, target]));
    await this.#store.notices.follow([...this.#targets.keys()]);
  }

  /** `query`: of the transaction of what has happened. */
  async tell(query: Query, { name, env, notify }: StackEntry, news: readonly News[], run: RunNote | undefined) {
    const notices = news.flatMap((each): readonly Notice[] => {
      const targets = [...this.#targets.values()].filter(
        ({ name: target, events }) =>
          events.includes(each.event) && (notify?.includes(target) !== false || !this.#named.has(target)),
      );
      if (targets.length === 0) return [];
      const { event, because, plan, error } = each;
      const notification: Notification = {
        gantry: 'notification',
        formatVersion: 1,
        id: randomUUID(),
        at: new Date(this.#store.now()).toISOString(),
        version: this.#messenger.version,
        command: 'reconcile',
        outcome: event,
        ...(env === undefined ? {} : { environment: env }),
        stacks: run?.note === undefined ? [] : [run.note],
        ...(error === undefined ? {} : { error: { code: error.code, message: shortMessage(error.message) } }),
        reconciled: {
          stack: name,
          ...(because === undefined ? {} : { because: shortMessage(because) }),
          ...(plan === undefined ? {} : { plan }),
          ...(run === undefined ? {} : { runId: run.id }),
        },
      };
      const body = notificationToJson(notification);
      return targets.map((target) => ({ target: target.name, body }));
    });
    await this.#store.notices.put(query, notices);
  }

  /** Begins to deliver what is due to targets that are not being told something already. */
  async deliver(): Promise<void> {
    const free = [...this.#targets.keys()].filter((name) => !this.#busy.has(name));
    if (free.length === 0) return;
    const claimed = await this.#store.notices.claim(free);
    for (const [name, notices] of Map.groupBy(claimed, ({ target }) => target)) {
      const work = this.#deliverTo(name, notices)
        .catch(() => undefined) // the store is away: they are claimed again
        .finally(() => this.#busy.delete(name));
      this.#busy.set(name, work);
    }
  }

  /** What is under way has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#busy.values());
  }

  async #deliverTo(name: string, claimed: readonly ClaimedNotice[]): Promise<void> {
    const { notices } = this.#store;
    const target = this.#targets.get(name);
    if (target === undefined) return;
    for (const notice of claimed) {
      const undelivered = await this.#post(target, notice);
      if (undelivered === undefined) await notices.delivered(notice);
      else if (!undelivered.isRefused) return notices.failed(name, undelivered.why);
      else {
        await notices.refused(notice);
        this.#warn(`a notification to ${name} is lost: ${undelivered.why}`);
      }
    }
  }

  /** Undefined: it was delivered. */
  async #post(target: NotifyTarget, { body }: ClaimedNotice): Promise<Undelivered | undefined> {
    try {
      const { hook, secret } = await this.#messenger.open(target);
      // As this process, or one before it, has written it.
      return await postNotification(hook, body as unknown as Notification, secret);
    } catch (error) {
      return { why: error instanceof Error ? error.message : String(error), isRefused: false };
    }
  }
}
