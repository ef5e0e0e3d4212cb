/** The icons of the page. All are decoration: each stands beside a text. */

export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" />
      <path d="M16 25.2c-5.6-3.7-8.6-7-8.6-11A4.9 4.9 0 0 1 16 11a4.9 4.9 0 0 1 8.6 3.2c0 4-3 7.3-8.6 11Z" />
      <path d="M9 17h4l1.8-3.4 2.6 5.6 1.6-2.2h4" />
    </svg>
  );
}

const PATHS = {
  external: 'M8 5H5v10h10v-3M11 4h5v5M16 4l-7 7',
  chevron: 'm6 8 4 4 4-4',
  warning: 'M10 3.5 17.5 16h-15ZM10 8.5v3.2M10 13.9v.1',
  info: 'M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4ZM10 9v4.4M10 6.5v.1',
  shield: 'M10 2.8 4 5v4.6c0 3.6 2.4 6.3 6 7.6 3.6-1.3 6-4 6-7.6V5ZM7.4 9.9l1.9 1.9 3.4-3.6',
} as const;

export function Icon({ of }: { of: keyof typeof PATHS }) {
  return (
    <svg className={`icon icon-${of}`} viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[of]} />
    </svg>
  );
}
