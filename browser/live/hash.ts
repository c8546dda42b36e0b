import { useEffect, useState } from 'preact/hooks';

/** The part of the address that says what is shown: it begins with `#/`, or is empty. */
export function useHash(): string {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onMove = (): void => {
      // A place within what is shown, such as its content.
      if (location.hash !== '' && !location.hash.startsWith('#/')) {
        history.replaceState(null, '', hash === '' ? location.pathname : hash);
        return;
      }
      setHash(location.hash);
      scrollTo(0, 0);
    };
    addEventListener('hashchange', onMove);
    return () => removeEventListener('hashchange', onMove);
  }, [hash]);
  return hash;
}
