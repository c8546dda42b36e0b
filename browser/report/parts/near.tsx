import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface Props {
  /** The number of its rows, whose space is reserved before they are rendered. */
  readonly rows: number;
  /** Renders it at any position. */
  readonly made: boolean;
  readonly children: () => ComponentChildren;
}

/** A part of a long list, rendered when it comes near the viewport. */
export function Near({ rows, made, children }: Props): VNode {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(made);
  const shown = near || made;
  useEffect(() => {
    if (shown || place.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: '1200px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [shown]);
  if (!shown) return <div ref={place} style={{ height: `calc(${rows} * var(--row))` }} />;
  return <div>{children()}</div>;
}
