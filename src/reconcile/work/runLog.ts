import { sep } from 'node:path';
import type { ApplyEvent } from '../../apply/events.ts';
import { compact } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import { pieceLength, withoutSecrets } from '../../base/text/withoutSecrets.ts';
import { hiddenTexts } from '../../client/hiddenTexts.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { markedTexts } from '../../manifest/model/marks.ts';
import type { StepEvent } from '../../project/session/event.ts';
import type { LogLine } from '../model.ts';

const mostLines = 500;
const longest = 1_000;
/** The end of a cut line may be the beginning of a secret, of which fewer characters than this are not masked. */
const shownOfCut = pieceLength;

/** The log of a run: limited, and without the secrets and marked values that the stack declares. */
export class RunLog {
  readonly #lines: (LogLine & { readonly isOutput: boolean })[] = [];
  readonly #now: () => number;
  /** Undefined until the stack's declarations are known. */
  #secrets: readonly string[] | undefined;
  #leftOut = 0;
  readonly #folders: string[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  say(text: string, isOutput = false): void {
    if (this.#lines.length >= mostLines) this.#leftOut += 1;
    else this.#lines.push({ atMs: this.#now(), text: text.slice(0, longest + shownOfCut), isOutput });
  }

  tell(event: StepEvent): void {
    if (event.type === 'note') this.say(event.text);
    if (event.type === 'output') this.say(`${event.file}: ${event.line}`, true);
    if (event.type === 'retry') this.say(`again in ${event.delayMs} ms: ${event.because}`);
    if (event.type === 'problems')
      for (const { position, severity, rule, message } of event.problems)
        this.say(`${position.file}:${position.line}: ${severity} ${rule}: ${message}`);
    if (event.type === 'run') this.#sayOf(event.event);
  }

  #sayOf(event: ApplyEvent): void {
    if (event.type === 'done') this.say(`done ${event.id}`);
    if (event.type === 'failed') this.say(`failed ${event.id}: ${event.error.message}`);
    if (event.type === 'skipped') this.say(`skipped ${event.id}: ${event.because}`);
    if (event.type === 'waiting') this.say(`waiting ${event.id}: ${event.for}`);
  }

  /** Hides the secrets and marked values of these resources in all lines, including earlier ones. */
  hide(desired: readonly DesiredResource[]): void {
    this.#secrets = [...new Set(desired.flatMap((each) => hiddenTexts(each.ref.kind, each.record, markedTexts(each))))];
  }

  /** Shows paths relative to this folder of the worker, which means nothing to users. */
  leaveOut(folder: string): void {
    this.#folders.push(folder);
  }

  hidden(text: string): string {
    const inside = this.#folders.reduce(
      (said, each) => said.replaceAll(`${each}${sep}`, '').replaceAll(each, '.'),
      text,
    );
    return String(withoutSecrets(inside, this.#secrets ?? []));
  }

  #hiddenLine(text: string): string {
    return text.length > longest ? this.hidden(text).slice(0, -shownOfCut) : this.hidden(text);
  }

  /** The lines so far. Omits the output of code that could not be loaded: it may contain unknown secrets. */
  lines(): readonly LogLine[] {
    const kept = this.#secrets === undefined ? this.#lines.filter(({ isOutput }) => !isOutput) : this.#lines;
    const unknown = this.#lines.length - kept.length;
    const more = compact([
      unknown === 0
        ? undefined
        : `${counted(unknown, 'line')} of the code left out: it was not loaded, so its secrets are not known`,
      this.#leftOut === 0 ? undefined : `${counted(this.#leftOut, 'line')} more, left out`,
    ]);
    return [
      ...kept.map(({ atMs, text }) => ({ atMs, text: this.#hiddenLine(text) })),
      ...more.map((text) => ({ atMs: this.#now(), text })),
    ];
  }
}
