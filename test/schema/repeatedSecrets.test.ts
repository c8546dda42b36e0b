import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutSecrets } from '../../src/base/text/withoutSecrets.ts';
import { runs } from '../harness/sampled.ts';

const secret = 'pa"ss\nword-of-thirty-characters';

describe('secret values in a refusal are masked (design, law 8)', () => {
  const forms = [
    { it: 'unchanged', text: secret },
    { it: 'in JSON', text: 'pa\\"ss\\nword-of-thirty-characters' },
    { it: 'in JSON within JSON', text: 'pa\\\\\\"ss\\\\nword-of-thirty-characters' },
    { it: 'in a URL', text: 'pa%22ss%0Aword-of-thirty-characters' },
    { it: 'in hex', text: '70612273730a776f72642d6f662d7468697274792d63686172616374657273' },
    { it: 'in base64', text: 'cGEic3MKd29yZC1vZi10aGlydHktY2hhcmFjdGVycw==' },
    { it: 'inside base64', text: Buffer.from(`user:${secret}`).toString('base64') },
    { it: 'truncated', text: 'word-of-thir' },
  ];
  test.each(forms)('$it', ({ text }) => {
    const shown = JSON.stringify(withoutSecrets({ message: `bad: ${text}!`, details: [{ [text]: 1 }] }, [secret]));
    expect(shown).toContain('bad: ');
    expect(shown).toContain('***');
    for (const piece of ['word-of', 'thirty', '776f72642d6f66', 'd29yZC1v', 'characters'])
      expect(shown).not.toContain(piece);
  });

  test('a short value is masked as a whole, and the text around it is kept', () => {
    expect(withoutSecrets(['the p4ss of x', 7, null, { p4ss: true }], ['p4ss'])).toEqual([
      'the *** of x',
      7,
      null,
      { '***': true },
    ]);
    expect(withoutSecrets({ message: `${secret}, ${secret}` }, [secret])).toEqual({ message: '***, ***' });
    expect(withoutSecrets({ message: 'as it was' }, [secret])).toEqual({ message: 'as it was' });
  });

  test('no twelve characters of any value remain, in any context', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 12, maxLength: 60 });
    fc.assert(
      fc.property(text, text, text, (before, hidden, after) => {
        const shown = String(withoutSecrets(before + hidden + after, [hidden]));
        for (let at = 0; at + 12 <= hidden.length; at += 1) expect(shown).not.toContain(hidden.slice(at, at + 12));
      }),
      { numRuns: runs(500) },
    );
  });
});
