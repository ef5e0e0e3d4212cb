/** Links to the site of the project, each in a page of its own: the demo goes on behind it. */
import { Fragment } from 'react';
import { placesOf } from '#protocol/site.ts';
import { clauseIn } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';

export type SiteLinkProps = { address: string | undefined; text: string; lang?: string };

export function SiteLink({ address, text, lang }: SiteLinkProps) {
  if (address === undefined) return <span lang={lang}>{text}</span>;
  return (
    <a className="site-link" href={address} target="_blank" rel="noreferrer" lang={lang}>
      {text}
    </a>
  );
}

/** The places of a clause, each as a link where it has a page. */
export function Clause({ clause }: { clause: string }) {
  const { language } = useConsole();
  return (
    <b>
      {placesOf(clause).map(({ text, address }, index) => {
        const words = clauseIn(language, text);
        return (
          <Fragment key={text}>
            {index > 0 && <span>, </span>}
            <SiteLink address={address} text={words} />
          </Fragment>
        );
      })}
    </b>
  );
}
