/** Links to a message, and to the site of the project in a page of its own: the demo goes on behind it. */
import { Fragment } from 'react';
import { placesOf } from '#protocol/site.ts';

export type SiteLinkProps = { address: string | undefined; text: string };

export function SiteLink({ address, text }: SiteLinkProps) {
  if (address === undefined) return <span>{text}</span>;
  return (
    <a className="site-link" href={address} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

/** The places of a clause, each as a link where it has a page. */
export function Clause({ clause }: { clause: string }) {
  return (
    <b>
      {placesOf(clause).map(({ text, address }, index) => (
        <Fragment key={text}>
          {index > 0 && <span>, </span>}
          <SiteLink address={address} text={text} />
        </Fragment>
      ))}
    </b>
  );
}

import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { Button } from './button.tsx';

/** The number of a message, which leads to it: it is chosen, and the lanes show it. */
export function MessageLink({ id, className = '' }: { id: number; className?: string }) {
  const { act, show } = useConsole();

  function open() {
    act.follow(false);
    show(id);
  }

  return (
    <Button className={`text-button ${className}`} aria-label={texts.showEvidence(id)} onClick={open}>
      {`#${id}`}
    </Button>
  );
}
