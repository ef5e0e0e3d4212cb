/** The chosen message: its clause, its request and reply, what it changed, and how to send it again. */
import { harEntryOf, harOf } from '#protocol/wire/har.ts';
import type { MessageDetail } from '../../../api.ts';
import { clauseIn, clauseTextIn } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Json } from '../parts/json.tsx';
import { VerdictBox } from '../parts/verdict-box.tsx';
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
        <Clause detail={detail} />
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
        <span className={`of-${from}`}>{say(from)}</span>
        <span> → </span>
        <span className={`of-${to}`}>{say(to)}</span>
        <span className="route-took">{say('took', { ms: endedAt - beganAt })}</span>
      </p>
      <p className="route-method">{method}</p>
      <p className={`route-answer ${outcome}`}>{answer}</p>
      {fault !== undefined && <p className="route-fault">{say('faultOf', { fault })}</p>}
      {patientData && <p className="route-fault">{`${say('carriesData')}: ${patientData.join(', ')}`}</p>}
    </div>
  );
}

function Clause({ detail: { method, clause, clauseText } }: { detail: MessageDetail }) {
  const { language } = useConsole();
  const required = clauseTextIn(language, method, clauseText);
  if (clause === undefined) return null;
  return (
    <p className="clause">
      <b>{clauseIn(language, clause)}</b> <span lang={required.lang}>{required.text}</span>
    </p>
  );
}

function Sides({ detail: { request, reply } }: { detail: MessageDetail }) {
  const { say } = useConsole();
  return (
    <>
      <h3>
        <span>{say('request')}</span> <small>{`${request.method} ${request.path}`}</small>
      </h3>
      <Json text={request.body} label={say('request')} />
      <Headers headers={request.headers} />
      <h3>
        <span>{say('reply')}</span> <small>{reply && `HTTP ${reply.status}`}</small>
      </h3>
      {reply ? (
        <>
          <Json text={reply.body} label={say('reply')} />
          <Headers headers={reply.headers} />
        </>
      ) : (
        <p className="route-fault">{say('noReply')}</p>
      )}
    </>
  );
}

function Headers({ headers }: { headers: MessageDetail['request']['headers'] }) {
  const { say } = useConsole();
  if (headers.length === 0) return null;
  return (
    <details className="headers">
      <summary>{`${say('headers')} (${headers.length})`}</summary>
      <Json text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')} label={say('headers')} />
    </details>
  );
}

/** A message of a saved run is no longer at the server, so the page makes the HAR itself. */
function SendAgain({ detail }: { detail: MessageDetail }) {
  const { model, say } = useConsole();
  const har = () => JSON.stringify(harOf([harEntryOf(detail)], model.overview?.version ?? ''), null, 2);
  return (
    <div className="send-again">
      <p className="row">
        <CopyButton text={detail.curl} label={say('copyCurl')} />
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
