import type { ComponentChildren, VNode } from 'preact';
import { Text } from '../report/parts/text.tsx';
import type { Live } from './useLive.ts';

interface Props<Value> {
  readonly of: Live<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** The last value, with the current problem above it. */
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

/** A time, to the second and in UTC, as on the command line. */
export function When({ at }: { readonly at: string | undefined }): VNode | null {
  if (at === undefined || Number.isNaN(Date.parse(at))) return null;
  return <time dateTime={at}>{`${at.slice(0, 19).replace('T', ' ')} UTC`}</time>;
}

/** Such as `1h 20m`, `45s`, `0.2s`. */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toLocaleString('en', { maximumFractionDigits: 1 })}s`;
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [Math.floor(seconds) % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : []))
    .join(' ');
}
