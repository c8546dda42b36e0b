import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface Props {
  readonly title: string;
  /** The subject of the page, beside its title. */
  readonly beside: ComponentChildren;
  readonly foot: string;
  readonly children: ComponentChildren;
}

/** The frame around the content of each page. */
export function Frame({ title, beside, foot, children }: Props): VNode {
  return (
    <>
      <a class="skip" href="#main">
        To the content
      </a>
      <header class="top">
        <span class="brand">
          <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
            <path d="M2 5h20v4H2zM4 9v12M20 9v12M12 9v5M9 14h6v4H9z" />
          </svg>
          {title}
        </span>
        {beside}
        <ThemeSwitch />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer>{foot}</footer>
    </>
  );
}

const themes = [
  ['auto', 'Auto'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Light, dark, or the system's theme. The choice is not stored, because a file from the disk may not have storage. */
function ThemeSwitch(): VNode {
  const [theme, setTheme] = useState<string>('auto');
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return (
    <fieldset class="theme">
      <legend class="unseen-label">Colours</legend>
      {themes.map(([value, word]) => (
        <label key={value}>
          <input type="radio" name="theme" value={value} checked={theme === value} onChange={() => setTheme(value)} />
          <span>{word}</span>
        </label>
      ))}
    </fieldset>
  );
}
