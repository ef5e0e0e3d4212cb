/** The language of the page: from the browser, until the reader chooses another one. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import type { KeyValueStorage } from '../flow/memory.ts';
import {
  type Language,
  languageFor,
  languageNames,
  languages,
  type Say,
  sayIn,
  type TextKey,
} from '../texts/texts.ts';

const LANGUAGE_KEY = 'my-records.language';

type Spoken = { language: Language; say: Say; setLanguage: (language: Language) => void };

const Context = createContext<Spoken>({ language: 'en', say: sayIn('en'), setLanguage: () => undefined });

export function useLanguage(): Spoken {
  return useContext(Context);
}

export type LanguageProviderProps = {
  storage: KeyValueStorage;
  /** The languages of the browser, the preferred one first. */
  preferred: readonly string[];
  children: ReactNode;
};

export function LanguageProvider({ storage, preferred, children }: LanguageProviderProps) {
  const [language, choose] = useState(() => languageFor(storage.getItem(LANGUAGE_KEY), preferred));
  const say = useMemo(() => sayIn(language), [language]);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = say('title');
  }, [language, say]);
  // Another tab of this page may choose, too.
  useEffect(() => {
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === LANGUAGE_KEY) choose(languageFor(newValue, preferred));
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [preferred]);
  const setLanguage = (chosen: Language) => {
    storage.setItem(LANGUAGE_KEY, chosen);
    choose(chosen);
  };
  return <Context value={{ language, say, setLanguage }}>{children}</Context>;
}

export function LanguageChoice() {
  const { language, say, setLanguage } = useLanguage();
  return (
    <select
      className="language"
      aria-label={say('language')}
      value={language}
      onChange={({ target }) => setLanguage(languageFor(target.value, []))}
    >
      {languages.map((one) => (
        <option key={one} value={one} lang={one}>
          {languageNames[one]}
        </option>
      ))}
    </select>
  );
}

/** A text with elements in its places. */
export function Sentence({ of, values }: { of: TextKey; values: Readonly<Record<string, ReactNode>> }) {
  const parts = useLanguage()
    .say(of)
    .split(/\{(\w+)\}/);
  return parts.map((part, index) => <span key={part}>{index % 2 === 1 ? values[part] : part}</span>);
}
