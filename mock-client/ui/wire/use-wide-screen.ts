/** Tells whether there is room for the panel beside the page. The width is that of `wire.css`. */
import { useSyncExternalStore } from 'react';

const WIDE = '(min-width: 68rem)';

export function useWideScreen(): boolean {
  return useSyncExternalStore(
    (wake) => {
      const query = window.matchMedia(WIDE);
      query.addEventListener('change', wake);
      return () => query.removeEventListener('change', wake);
    },
    () => window.matchMedia(WIDE).matches,
    () => false,
  );
}
