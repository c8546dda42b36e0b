import type { ComponentChildren, VNode } from 'preact';
import { Text } from '../report/parts/text.tsx';
import type { Live } from './useLive.ts';

interface Props<Value> {
  readonly of: Live<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** The value that was read, with the present problem above it. */
export function Shown<Value>({ of: { value, problem }, children }: Props<Value>): VNode {
  return (
    <>
      {problem !== undefined && (
        <p class="callout warn" role="status">
          <Text of={problem} />
        </p>
      )}
      {value === undefined ? problem === undefined && <p class="hint">Loading …</p> : children(value)}
    </>
  );
}
