import { curveLinear, curveStepAfter, line } from 'd3-shape';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Series {
  readonly word: string;
  /** Its class in the style sheet, which sets the colour. */
  readonly tone: 'first' | 'second' | 'third';
  /** A value is constant until the next one, without interpolation. */
  readonly stepped?: boolean;
  /** Ordered by time; milliseconds since 1970. */
  readonly points: readonly (readonly [atMs: number, value: number])[];
}

interface Props {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly Series[];
}

const height = 180;
const edge = { left: 48, right: 12, top: 10, bottom: 26 };

/**
 * Values over time, as lines. The drawing also has texts: its label, and the value at the pointer. It is SVG, because
 * the texts of a canvas (`uplot`) cannot be searched, read aloud or themed.
 */
export function Plot({ title, unit, series }: Props): VNode {
  const [box, width] = useWidth();
  const [chosenMs, choose] = useState<number>();
  const points = series.flatMap((one) => one.points);
  const times = points.map(([atMs]) => atMs);
  const [firstMs, lastMs] = [Math.min(...times), Math.max(...times)];
  const ticks = niceTicks(Math.max(0, ...points.map(([, value]) => value)));
  const top = ticks.at(-1) ?? 1;
  const x = (atMs: number): number =>
    edge.left + ((width - edge.left - edge.right) * (atMs - firstMs)) / Math.max(1, lastMs - firstMs);
  const y = (value: number): number => height - edge.bottom - ((height - edge.top - edge.bottom) * value) / top;
  const atMs = chosenMs ?? lastMs;
  const values = series.map((one) => `${one.word} ${amount(valueAt(one, atMs))} ${unit}`).join(', ');
  const marks = timeMarks(firstMs, lastMs, width < 480 ? 2 : 4);
  return (
    <figure class="plot" ref={box}>
      <figcaption>
        <strong>{title}</strong>
        <span class="hint">{points.length === 0 ? 'nothing yet' : `${timeText(atMs, true)}: ${values}`}</span>
      </figcaption>
      {points.length > 0 && (
        <svg
          role="img"
          aria-label={`${title}, ${timeText(firstMs, true)} to ${timeText(lastMs, true)}: at last ${values}`}
          width={width}
          height={height}
          onPointerMove={({ offsetX }) => {
            const share = (offsetX - edge.left) / Math.max(1, width - edge.left - edge.right);
            choose(firstMs + Math.min(1, Math.max(0, share)) * (lastMs - firstMs));
          }}
          onPointerLeave={() => choose(undefined)}
        >
          {ticks.map((tick) => (
            <g key={tick} class="tick">
              <path d={`M${edge.left} ${y(tick)}H${width - edge.right}`} />
              <text x={edge.left - 6} y={y(tick) + 4} text-anchor="end">
                {amount(tick)}
              </text>
            </g>
          ))}
          {marks.map((ms, index) => (
            <text
              key={ms}
              class="mark"
              x={x(ms)}
              y={height - 8}
              text-anchor={index === 0 ? 'start' : index === marks.length - 1 ? 'end' : 'middle'}
            >
              {timeText(ms, lastMs - firstMs < 2 * dayMs)}
            </text>
          ))}
          {series.map((each) => (
            <path key={each.word} class={`series ${each.tone}`} d={pathOf(each, x, y, lastMs)} />
          ))}
          {chosenMs !== undefined && <path class="cursor" d={`M${x(chosenMs)} ${edge.top}V${height - edge.bottom}`} />}
        </svg>
      )}
      <ul class="keys">
        {series.map(({ word, tone }) => (
          <li key={word}>
            <span class={`key ${tone}`} aria-hidden="true" />
            {word}
          </li>
        ))}
      </ul>
    </figure>
  );
}

type Scale = (value: number) => number;

function pathOf({ stepped = false, points }: Series, x: Scale, y: Scale, lastMs: number): string {
  const last = points.at(-1);
  // The last value is still valid.
  const drawn = stepped && last !== undefined ? [...points, [lastMs, last[1]] as const] : points;
  const made = line<readonly [number, number]>()
    .x(([atMs]) => x(atMs))
    .y(([, value]) => y(value))
    .curve(stepped ? curveStepAfter : curveLinear);
  return made([...drawn]) ?? '';
}

/** The value at the last point up to this time. */
function valueAt({ points }: Series, atMs: number): number {
  return (points.findLast(([ms]) => ms <= atMs) ?? points[0] ?? [0, 0])[1];
}

/** 0 and up to five round values, the last of which is at least `most`. */
export function niceTicks(most: number): readonly number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, index) => index * step);
}

const dayMs = 86_400_000;

function timeMarks(firstMs: number, lastMs: number, parts: number): readonly number[] {
  if (firstMs === lastMs) return [firstMs];
  return Array.from({ length: parts + 1 }, (_, index) => firstMs + (index * (lastMs - firstMs)) / parts);
}

function timeText(ms: number, withClock: boolean): string {
  if (!Number.isFinite(ms)) return '';
  const text = new Date(ms).toISOString();
  return withClock ? text.slice(5, 16).replace('T', ' ') : text.slice(5, 10);
}

function amount(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 1 ? 3 : 1 });
}

/** The available width. */
function useWidth() {
  const box = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const watch = new ResizeObserver(() => setWidth(Math.max(200, element.clientWidth)));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return [box, width] as const;
}
