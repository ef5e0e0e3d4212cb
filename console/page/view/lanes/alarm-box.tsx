/** Patient data crossed toward the authorization server: the show stops, in red. */
import { useEffect, useRef } from 'react';
import type { Alarm } from '../../../api.ts';
import { useConsole } from '../context.ts';

export function AlarmBox({ alarm }: { alarm: Alarm }) {
  const { act, say, setUi } = useConsole();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div className="alarm" role="alert" tabIndex={-1} ref={box}>
      <h2>{say('alarmTitle')}</h2>
      <p>{say('alarmText', { id: alarm.message })}</p>
      <ul>
        {alarm.found.map((found) => (
          <li key={found}>{found}</li>
        ))}
      </ul>
      <p className="alarm-acts">
        <button
          type="button"
          className="btn"
          onClick={() => {
            void act.choose(alarm.message);
            setUi({ tab: 'message', view: 'details' });
          }}
        >
          {say('alarmShow')}
        </button>
        <button type="button" className="btn" onClick={() => act.goOnAfterAlarm()}>
          {say('alarmGoOn')}
        </button>
      </p>
    </div>
  );
}
