import { sep } from 'node:path';
import type { ApplyEvent } from '../../apply/events.ts';
import { compact, present } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import { withoutCredentials } from '../../base/text/withoutCredentials.ts';
import { mask, withoutSecrets } from '../../base/text/withoutSecrets.ts';
import { hiddenTexts } from '../../client/hiddenTexts.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { markedTexts } from '../../manifest/model/marks.ts';
import type { StepEvent } from '../../project/session/event.ts';
import type { LogLine } from '../model.ts';

const mostLines = 500;
const longest = 1_000;
/** The end of a cut line may be the beginning of a secret or of an address with a password, so it is not shown. */
const hiddenEnd = 256;

interface KeptLine extends LogLine {
  /** The code that wrote it. */
  readonly file?: string;
}

/**
 * The log of a run: limited, without passwords in addresses, and without the secrets and marked values that the stack
 * declares.
 */
export class RunLog {
  readonly #lines: KeptLine[] = [];
  readonly #now: () => number;
  /** Undefined until the stack's declarations are known. */
  #secrets: readonly string[] | undefined;
  #variables: readonly string[] = [];
  #leftOut = 0;
  readonly #folders: string[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  say(text: string, file?: string): void {
    if (this.#lines.length >= mostLines) this.#leftOut += 1;
    else this.#lines.push({ atMs: this.#now(), text: text.slice(0, longest + hiddenEnd), ...present({ file }) });
  }

  tell(event: StepEvent): void {
    if (event.type === 'note') this.say(event.text);
    if (event.type === 'output') this.say(event.line, event.file);
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

  /** Hides these values of variables in all lines, instead of earlier ones. */
  hideVariables(values: readonly string[]): void {
    this.#variables = values;
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
    return withoutCredentials(String(withoutSecrets(inside, this.#texts)));
  }

  get #texts(): readonly string[] {
    return [...this.#variables, ...(this.#secrets ?? [])];
  }

  #hiddenLine({ text, file }: KeptLine): string {
    const hidden = this.hidden(file === undefined ? text : `${file}: ${text}`);
    return text.length > longest ? hidden.slice(0, -hiddenEnd) : hidden;
  }

  /** The lines so far. Omits the output of code that could not be loaded: it may contain unknown secrets. */
  lines(): readonly LogLine[] {
    const kept =
      this.#secrets === undefined
        ? this.#lines.filter(({ file }) => file === undefined)
        : withoutLinesOf(this.#texts, this.#lines);
    const unknown = this.#lines.length - kept.length;
    const more = compact([
      unknown === 0
        ? undefined
        : `${counted(unknown, 'line')} of the code left out: it was not loaded, so its secrets are not known`,
      this.#leftOut === 0 ? undefined : `${counted(this.#leftOut, 'line')} more, left out`,
    ]);
    return [
      ...kept.map((each) => ({ atMs: each.atMs, text: this.#hiddenLine(each) })),
      ...more.map((text) => ({ atMs: this.#now(), text })),
    ];
  }
}

/**
 * Output has a line for each line of a secret, and such a line alone may be too short or too usual to be masked. All are
 * masked where they follow each other, indented or not.
 */
function withoutLinesOf(secrets: readonly string[], lines: readonly KeptLine[]): readonly KeptLine[] {
  const texts = lines.map(({ text }) => text);
  const output = lines.flatMap(({ file }, at) => (file === undefined ? [] : [at]));
  for (const secret of secrets) {
    const parts = secret.split('\n').map((part) => part.trim());
    const last = parts.length - 1;
    if (last === 0) continue;
    for (let from = 0; from + last < output.length; from += 1) {
      const places = output.slice(from, from + last + 1);
      const isThere = parts.every((part, index) => {
        const text = (texts[places[index] ?? 0] ?? '').trim();
        return index === 0 ? text.endsWith(part) : index === last ? text.startsWith(part) : text === part;
      });
      if (!isThere) continue;
      for (const [index, at] of places.entries()) {
        const part = parts[index] ?? '';
        if (part !== '') texts[at] = (texts[at] ?? '').replaceAll(part, mask);
      }
    }
  }
  return lines.map((line, at) => ({ ...line, text: texts[at] ?? '' }));
}
