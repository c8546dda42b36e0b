import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../../src/report/invisibleCharacters.ts';

/** Characters that are invisible, or that affect how the rest is read, except line ends and tabs. */
const unseen = /((?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])/u;

/** Foreign text: isolated from the surrounding text direction, with invisible characters shown by number. */
export function Text({ of: text }: { readonly of: string }): VNode {
  if (!unseen.test(text)) return <bdi>{text}</bdi>;
  return (
    <bdi>
      {text.split(unseen).map((part, index) => (index % 2 === 0 ? part : <mark class="unseen">{visible(part)}</mark>))}
    </bdi>
  );
}

/** The same for attributes and SVG text, which cannot contain elements. */
export function seen(text: string): string {
  return text
    .split(unseen)
    .map((part, index) => (index % 2 === 0 ? part : visible(part)))
    .join('');
}

/** The characters of a text that are shown at first. */
const mostAtOnce = 4_000;

/** A text that may be very long. */
export function LongText({ of: text, printing }: { readonly of: string; readonly printing: boolean }): VNode {
  const [whole, setWhole] = useState(false);
  if (whole || printing || text.length <= mostAtOnce) return <Text of={text} />;
  return (
    <>
      <Text of={text.slice(0, mostAtOnce)} />…{' '}
      <button type="button" class="quiet" onClick={() => setWhole(true)}>
        show all {text.length.toLocaleString('en')} characters
      </button>
    </>
  );
}

/** `1 change`, `2,000 changes`. */
export function counted(count: number, word: string): string {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
}
