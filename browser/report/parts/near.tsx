import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface Props {
  /** How many rows it has: it takes their room before they are made. */
  readonly rows: number;
  /** It is made wherever it stands. */
  readonly made: boolean;
  readonly children: () => ComponentChildren;
}

/** A part of a long list, made when it comes near to what is seen. */
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
