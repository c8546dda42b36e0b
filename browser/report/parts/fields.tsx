import { diffLines } from 'diff';
import type { VNode } from 'preact';
import { isObject, type JsonValue } from '../../../src/base/json/json.ts';
import type { FieldDocument } from '../../../src/change/documents/planDocument.ts';
import { describeCause } from '../../../src/plan/model/cause.ts';
import { linesOf } from '../../../src/report/invisibleCharacters.ts';
import { Place, RiskBadge } from './badges.tsx';
import { LongText, Text } from './text.tsx';

interface FieldsProps {
  readonly fields: readonly FieldDocument[];
  readonly printing: boolean;
}

/** The fields that will change: both values, the risk, the writer of the old and the place of the new value. */
export function Fields({ fields, printing }: FieldsProps): VNode {
  return (
    <ul class="fields">
      {fields.map((field, index) => (
        <li key={index}>
          <div class="field-head">
            <code class="field-path">
              <Text of={field.path} />
            </code>
            <RiskBadge risk={field.risk} />
            {field.cause !== undefined && (
              <span class="cause">
                <Text of={describeCause(field.cause)} />
              </span>
            )}
            {field.place !== undefined && <Place at={field.place} />}
          </div>
          <Difference before={field.old} after={field.new} printing={printing} />
        </li>
      ))}
    </ul>
  );
}

interface DifferenceProps {
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly printing: boolean;
}

/** Longer values are below each other. */
const shortest = 60;

/** The current value, and the one after it. */
export function Difference({ before, after, printing }: DifferenceProps): VNode {
  const [one, other] = [before, after].map(linesOf);
  if (one !== undefined && other !== undefined && (one + other).includes('\n')) {
    return <Lines before={one} after={other} printing={printing} />;
  }
  const texts = [before, after].map(shown);
  const inline = texts.every((text) => text === undefined || (text.length <= shortest && !text.includes('\n')));
  const [old, next] = texts;
  return (
    <div class={inline ? 'difference inline' : 'difference'}>
      {old !== undefined && <Value word="before" sign="−" text={old} printing={printing} />}
      {inline && old !== undefined && next !== undefined && (
        <span class="arrow" aria-hidden="true">
          →
        </span>
      )}
      {next !== undefined && <Value word="after" sign="+" text={next} printing={printing} />}
    </div>
  );
}

interface ValueProps {
  readonly word: 'before' | 'after';
  readonly sign: string;
  readonly text: string;
  readonly printing: boolean;
}

function Value({ word, sign, text, printing }: ValueProps): VNode {
  return (
    <span class={`value ${word}`}>
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      <span class="unseen-label">{word}: </span>
      <code>
        <LongText of={text} printing={printing} />
      </code>
    </span>
  );
}

/** Longer texts are shown completely: comparing their lines would take too long. */
const mostCompared = 100_000;

function Lines({
  before,
  after,
  printing,
}: {
  readonly before: string;
  readonly after: string;
  readonly printing: boolean;
}): VNode {
  if (before.length + after.length > mostCompared) {
    return (
      <div class="difference">
        <Value word="before" sign="−" text={before} printing={printing} />
        <Value word="after" sign="+" text={after} printing={printing} />
      </div>
    );
  }
  return (
    <pre class="line-diff">
      {diffLines(before, after).map(({ value, added, removed }, index) => {
        const [sign, tone] = added ? ['+', 'after'] : removed ? ['−', 'before'] : [' ', 'same'];
        return value
          .replace(/\n$/, '')
          .split('\n')
          .map((line, row) => (
            <span class={`line ${tone}`} key={`${index} ${row}`}>
              {sign} <Text of={line} />
              {'\n'}
            </span>
          ));
      })}
    </pre>
  );
}

/** Texts without quotes if unambiguous. Undefined if there is no value. */
export function shown(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (isObject(value) && value['sensitive'] === true) {
    return value['changed'] === false ? '(hidden, unchanged)' : '(hidden)';
  }
  if (typeof value !== 'string') return JSON.stringify(value, null, typeof value === 'object' ? 2 : undefined);
  return value === '' || /^\s|\s$|^(true|false|null|-?\d[\d.eE+-]*|\(hidden.*)$/.test(value)
    ? JSON.stringify(value)
    : value;
}
