/** The chosen message: its clause, its request and reply, what it changed, and how to send it again. */
import { harEntryOf, harOf } from '#protocol/wire/har.ts';
import type { MessageDetail } from '../../../api.ts';
import { clauseTextIn } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Json } from '../parts/json.tsx';
import { Clause } from '../parts/site-link.tsx';
import { VerdictBox } from '../parts/verdicts.tsx';
import { Changes } from './changes.tsx';

export function MessageTab() {
  const { model, say } = useConsole();
  const { chosen, detail } = model;
  if (chosen === undefined) return <p className="hint">{say('nothingChosen')}</p>;
  if (detail?.id !== chosen) return <p className="hint">{say('loading')}</p>;
  return (
    <>
      <Route detail={detail} />
      {detail.verdicts.length > 0 ? (
        detail.verdicts.map((verdict) => <VerdictBox key={verdict.check} verdict={verdict} />)
      ) : (
        <MethodClause detail={detail} />
      )}
      <Sides detail={detail} />
      <h3>{say('changed')}</h3>
      <Changes changes={detail.changes} at={detail.endedAt} />
      <SendAgain detail={detail} />
    </>
  );
}

function Route({ detail }: { detail: MessageDetail }) {
  const { say } = useConsole();
  const { from, to, method, answer, outcome, fault, beganAt, endedAt, patientData } = detail;
  return (
    <div className="route">
      <p>
        <span className={`route-party of-${from}`}>{say(from)}</span>
        <span> → </span>
        <span className={`route-party of-${to}`}>{say(to)}</span>
        <span className="route-took">{say('took', { ms: endedAt - beganAt })}</span>
      </p>
      <p className="route-method">{method}</p>
      <p className={`route-answer ${outcome}`}>{answer}</p>
      {fault !== undefined && <p className="route-fault">{say('faultOf', { fault })}</p>}
      {patientData && <p className="route-fault">{`${say('carriesData')}: ${patientData.join(', ')}`}</p>}
    </div>
  );
}

function MethodClause({ detail: { method, clause, clauseText } }: { detail: MessageDetail }) {
  const { language } = useConsole();
  const required = clauseTextIn(language, method, clauseText);
  if (clause === undefined) return null;
  return (
    <p className="clause">
      <Clause clause={clause} /> <span lang={required.lang}>{required.text}</span>
    </p>
  );
}

function Sides({ detail: { request, reply } }: { detail: MessageDetail }) {
  const { say } = useConsole();
  return (
    <>
      <Side title="request" about={`${request.method} ${request.path}`} {...request} />
      <Side title="reply" about={reply && `HTTP ${reply.status}`} {...(reply ?? { headers: [], body: '' })} />
      {!reply && <p className="route-fault">{say('noReply')}</p>}
    </>
  );
}

type SideProps = Pick<MessageDetail['request'], 'headers' | 'body'> & {
  title: 'request' | 'reply';
  about: string | undefined;
};

function Side({ title, about, headers, body }: SideProps) {
  const { say } = useConsole();
  return (
    <>
      <h3>
        <span>{say(title)}</span> <small>{about}</small>
      </h3>
      <Json text={body} label={say(title)} />
      {headers.length > 0 && (
        <details className="headers">
          <summary>{`${say('headers')} (${headers.length})`}</summary>
          <Json text={headers.map((header) => header.join(': ')).join('\n')} label={say('headers')} />
        </details>
      )}
    </>
  );
}

/** A message of a saved run is no longer at the server, so the page makes the HAR itself. */
function SendAgain({ detail }: { detail: MessageDetail }) {
  const { model, say } = useConsole();
  const har = () => JSON.stringify(harOf([harEntryOf(detail)], model.overview?.version ?? ''), null, 2);
  return (
    <div className="send-again">
      <p className="row">
        <CopyButton of={detail.curl} text="copyCurl" />
        <a
          className="btn"
          href={`data:application/json;charset=utf-8,${encodeURIComponent(har())}`}
          download={`message-${detail.id}.har`}
        >
          {say('har')}
        </a>
      </p>
      {!model.inClear && <p className="hint">{say('maskedCurl')}</p>}
    </div>
  );
}
