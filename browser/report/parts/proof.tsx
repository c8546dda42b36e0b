import type { VNode } from 'preact';
import type { Proof } from '../../../src/change/explain/explanation.ts';
import { counted, Text } from './text.tsx';

/** What a PATCH is proven to do. */
export function ProofView({ proof: { holds, managed, untouched, against } }: { readonly proof: Proof }): VNode {
  return (
    <p class={holds ? 'proof' : 'proof bad'}>
      <span aria-hidden="true">{holds ? '✓' : '✕'}</span> <strong>Proof:</strong> applied to the live copy by the rules
      of the platform, {counted(managed, 'managed field')} {managed === 1 ? 'is' : 'are'} then as declared, and{' '}
      {counted(untouched, 'field')} of others {untouched === 1 ? 'stays as it is' : 'stay as they are'}.
      {against.length > 0 && <Text of={` Contradicted by: ${against.join(', ')}`} />}
    </p>
  );
}
