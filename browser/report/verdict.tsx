import type { VNode } from 'preact';
import type { PageData } from '../../src/report/pageData.ts';
import { seen } from './parts/text.tsx';

type Tone = 'good' | 'plain' | 'warn' | 'bad';

interface Words {
  readonly tone: Tone;
  readonly symbol: string;
  readonly words: string;
}

/** What became of it, in one sentence. */
const verdicts: Readonly<Record<PageData['outcome'], Words>> = {
  'no-changes': { tone: 'good', symbol: '✓', words: 'Nothing to change: the platform is as declared.' },
  changes: { tone: 'plain', symbol: '→', words: 'A plan. Nothing is written yet.' },
  refused: { tone: 'bad', symbol: '✕', words: 'Refused: nothing will be written.' },
  done: { tone: 'good', symbol: '✓', words: 'Applied. Everything that was planned is done.' },
  partly: { tone: 'bad', symbol: '!', words: 'Applied in part: something remains to be done.' },
  'not-ready': { tone: 'warn', symbol: '!', words: 'Written, but not everything became ready in time.' },
  failed: { tone: 'bad', symbol: '✕', words: 'Failed. Nothing was written.' },
  stale: {
    tone: 'warn',
    symbol: '!',
    words: 'The live state has changed since the plan was made. Nothing was written.',
  },
  interrupted: { tone: 'warn', symbol: '!', words: 'Interrupted before its end.' },
  drift: { tone: 'warn', symbol: '!', words: 'There is drift: something differs from what was applied last.' },
  'no-drift': { tone: 'good', symbol: '✓', words: 'No drift: everything is as it was applied last.' },
  valid: { tone: 'good', symbol: '✓', words: 'The manifests are valid.' },
  invalid: { tone: 'bad', symbol: '✕', words: 'The manifests are not valid.' },
  explained: { tone: 'plain', symbol: '?', words: 'Why one resource is planned as it is.' },
};

export function Verdict({ data: { outcome, title, error } }: { readonly data: PageData }): VNode {
  const failed = error !== undefined && verdicts[outcome].tone === 'good';
  const { tone, symbol, words }: Words = failed
    ? { tone: 'bad', symbol: '✕', words: 'It did not succeed.' }
    : verdicts[outcome];
  return (
    <div class={`verdict ${tone}`}>
      <span class="sign" aria-hidden="true">
        {symbol}
      </span>
      <div>
        <h1>{seen(title)}</h1>
        <p>{words}</p>
      </div>
    </div>
  );
}
