import { randomUUID } from 'node:crypto';
import { present } from '../../base/json/present.ts';
import { causeText } from '../../base/thrown.ts';
import { setCommitStatus } from '../../integrations/commitStatus.ts';
import type { Undelivered } from '../../integrations/deliver.ts';
import type { Hook } from '../../integrations/hook.ts';
import {
  type Notification,
  notificationToJson,
  type StackNote,
  shortMessage,
} from '../../integrations/notification.ts';
import { postNotification } from '../../integrations/postNotification.ts';
import type { CommitStatus, StatusForge } from '../../integrations/statusForge.ts';
import type { News } from '../decisions/news.ts';
import type { CommitNews, GitSource, NotifyTarget, ReconcileConfig, StackEntry } from '../model.ts';
import type { ClaimedNotice, Notice } from '../store/notices.ts';
import type { Query } from '../store/sql.ts';
import type { Store } from '../store/store.ts';

/** How a worker notifies others about stacks. */
export interface Messenger {
  /** The version of Gantry. */
  readonly version: string;
  /** Further targets for all stacks, besides those of `reconcile.yaml`. */
  readonly targets: readonly NotifyTarget[];
  /** Errors: `reconcile.secret`, `notify.address`. */
  open(target: NotifyTarget): Promise<{ readonly hook: Hook; readonly secret?: string | undefined }>;
  /** Errors: `reconcile.secret`. */
  openForge(source: StatusSource): Promise<StatusForge>;
}

/** A repository whose commits get statuses. */
export type StatusSource = GitSource & Required<Pick<GitSource, 'statuses'>>;

/** The facts of a run for notifications. */
export interface RunNote {
  readonly id: string;
  readonly note: StackNote | undefined;
}

/** Stores notifications, and delivers waiting ones, independently for each target. Runs do not wait for it. */
export class Notifier {
  readonly #store: Store;
  readonly #messenger: Messenger;
  readonly #warn: (text: string) => void;
  readonly #busy = new Map<string, Promise<void>>();
  #targets: ReadonlyMap<string, NotifyTarget> = new Map();
  /** By repository; these are never names of targets. */
  #forges: ReadonlyMap<string, StatusSource> = new Map();
  #url: string | undefined;
  #named: ReadonlySet<string> = new Set();

  constructor(store: Store, messenger: Messenger, warn: (text: string) => void) {
    this.#store = store;
    this.#warn = warn;
    this.#messenger = messenger;
  }

  async follow({ notify = [], stacks, url }: Pick<ReconcileConfig, 'notify' | 'stacks' | 'url'>): Promise<void> {
    const all = [...notify, ...this.#messenger.targets];
    this.#url = url;
    this.#named = new Set(notify.map(({ name }) => name));
    this.#targets = new Map(all.map((target) => [target.name, target]));
    const statusSources = stacks.flatMap(({ source }) =>
      reportsStatuses(source) ? [[source.repository, source] as const] : [],
    );
    this.#forges = new Map(statusSources);
    await this.#store.notices.follow([...this.#targets.keys(), ...this.#forges.keys()]);
  }

  /** `query`: from the event's transaction. */
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
        stacks: run?.note === undefined ? [] : [run.note],
        ...present({
          environment: env,
          error: error && { code: error.code, message: shortMessage(error.message) },
          run: this.#addressOf(name),
        }),
        reconciled: {
          stack: name,
          ...present({ because: because === undefined ? because : shortMessage(because), plan, runId: run?.id }),
        },
      };
      const body = notificationToJson(notification);
      return targets.map((target) => ({ target: target.name, body }));
    });
    await this.#store.notices.put(query, notices);
  }

  /** Sends an equal status once, because forges limit the statuses of a commit. */
  async tellCommit(query: Query, { name, source }: StackEntry, { commit, state, description }: CommitNews) {
    if (!reportsStatuses(source)) return;
    const status: CommitStatus = { commit, state, description, context: `gantry/${name}`, url: this.#addressOf(name) };
    await this.#store.notices.putStatus(query, {
      ...{ target: source.repository, body: { ...present(status) }, stack: name },
      status: [commit, state, state === 'pending' ? description : ''].join(' '),
    });
  }

  #addressOf(stack: string): string | undefined {
    return this.#url && `${this.#url}/#/stack/${encodeURIComponent(stack)}`;
  }

  /** Starts deliveries to targets without one in progress. */
  async deliver(): Promise<void> {
    const idleTargets = [...this.#targets.keys(), ...this.#forges.keys()].filter((name) => !this.#busy.has(name));
    if (idleTargets.length === 0) return;
    const claimed = await this.#store.notices.claim(idleTargets);
    for (const [name, notices] of Map.groupBy(claimed, ({ target }) => target)) {
      const work = this.#deliverTo(name, notices)
        .catch(() => undefined) // the store is unavailable: they are claimed again
        .finally(() => this.#busy.delete(name));
      this.#busy.set(name, work);
    }
  }

  /** Waits until current deliveries have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#busy.values());
  }

  async #deliverTo(name: string, claimed: readonly ClaimedNotice[]): Promise<void> {
    const { notices } = this.#store;
    for (const notice of claimed) {
      const undelivered = await this.#post(notice);
      if (undelivered === undefined) await notices.delivered(notice);
      else if (!undelivered.isRefused) return notices.failed(name, undelivered.why);
      else {
        await notices.refused(notice);
        this.#warn(`a notification to ${name} is lost: ${undelivered.why}`);
      }
    }
  }

  /** Undefined if it was delivered. */
  async #post({ target: name, body }: ClaimedNotice): Promise<Undelivered | undefined> {
    try {
      const [target, source] = [this.#targets.get(name), this.#forges.get(name)];
      // Written by this process or an earlier one.
      if (source !== undefined)
        return await setCommitStatus(await this.#messenger.openForge(source), body as unknown as CommitStatus);
      if (target === undefined) return { why: 'its target is no longer configured', isRefused: true };
      const { hook, secret } = await this.#messenger.open(target);
      return await postNotification(hook, body as unknown as Notification, secret);
    } catch (error) {
      return { why: causeText(error), isRefused: false };
    }
  }
}

export function reportsStatuses(source: StackEntry['source']): source is StatusSource {
  return source.kind === 'git' && source.statuses !== undefined;
}
