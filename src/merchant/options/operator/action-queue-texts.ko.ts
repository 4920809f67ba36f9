// Korean texts of the operators' action queue: what needs a person, what it may mean and what to do.

export const actionQueueKo = {
  actionQueue: {
    names: {
      discrepancies: '불일치',
      charges: '청구',
      refunds: '환불',
      issuances: '카드 등록',
    },
    stuckNames: {
      charges: '결과를 모르는 청구',
      refunds: '결과를 모르는 환불',
      issuances: '결과를 모르는 카드 등록',
    },
    clear: '확인할 일이 없어요',
    clearHint: '사람이 확인해야 하는 일이 생기면 여기에 보여요.',
    all: '모두 보기',
    means: '무슨 뜻인가요:',
    todo: '무엇을 하나요:',
    decide: '결정하기',
    note: '왜 그렇게 결정했나요',
    final: '누가, 언제, 왜 결정했는지 적히고 되돌릴 수 없어요. 돈은 움직이지 않아요.',
    write: '결정 적기',
    whatHappened: '실제로 어떻게 됐나요',
    refundAsks:
      '이 결제의 돈을 모두 돌려주고, 불일치를 처리해요. 결제 서비스로 한 번 보내고 되돌릴 수 없어요.',
    outcomes: {
      accepted: '그대로 둬요',
      refunded: '이미 돌려줬어요',
      ignored: '문제가 아니에요',
    },
    notes: '메모',
    noteAdd: '메모 적기',
    noteText: '메모',
    noteHint: '이름과 시각을 함께 적어 둬요. 결정은 아니에요.',
    noteWrite: '메모 남기기',
    stuck: {
      pending: {
        means: '요청을 시작한 서버가 멈췄고, 30분이 지나도록 이어받은 일이 없어요.',
        todo: '작업이 돌고 있는지 npm run doctor로 확인해 주세요. 작업이 돌면 저절로 정리돼요.',
      },
      unknown: {
        means:
          '결제 서비스의 답을 잃어버렸고, 30분 넘게 물어봐도 결과를 몰라요. 서비스가 답하지 않거나 답을 판단할 수 없어요.',
        todo: '서비스가 답하는지 npm run doctor로 확인해 주세요. 계속 알 수 없으면 서비스 콘솔에서 보고 사실대로 적어 주세요.',
      },
      scheduled: {
        means: '예약한 시각이 30분 넘게 지났는데 결제 서비스에 결과가 없어요.',
        todo: '서비스 콘솔에서 예약이 어떻게 됐는지 봐 주세요. 여기서는 계속 물어볼게요.',
      },
    },
    attempts: {
      charges: {
        means:
          '청구로 생긴 결제가 주문과 맞지 않거나, 예약이 사라졌어요. 처리될 때까지 이 주문은 다시 청구되지 않아요.',
        todo: '결제에 남은 돈이 있으면 불일치에서 먼저 돌려주고, 결제되지 않았다고 적어 주세요.',
        outcomes: {
          paid: '결제됐어요',
          not_executed: '결제되지 않았어요',
        },
      },
      refunds: {
        means: '취소된 금액이 예상과 달라요. 같은 때에 결제 서비스 콘솔에서 누가 취소했을 수 있어요.',
        todo: '콘솔의 취소 내역과 이 환불을 비교하고, 사실대로 적어 주세요.',
        outcomes: {
          refunded: '환불됐어요',
          not_executed: '환불되지 않았어요',
        },
      },
      issuances: {
        means: '결제 서비스에 있는 카드가 보낸 카드와 다르거나, 발급했다는데 보이지 않아요.',
        todo: '끝 네 자리를 회원에게 확인해 주세요. 회원의 카드가 맞으면 발급됐다고 적어 주세요.',
        outcomes: {
          issued: '발급됐어요',
          not_issued: '발급되지 않았어요',
        },
      },
    },
  },
  several: {
    link: '여러 건 한 번에 처리하기',
    pick: '선택',
    hint: '한 건마다 누가, 언제, 왜 결정했는지 따로 적어 둬요. 한 건씩 처리할 때와 똑같이 확인하고, 거절된 건은 그대로 남아 있어요.',
    selected: '선택한 것만 처리하기',
    shown: '보이는 것 모두 처리하기',
    none: '이 종류의 열린 불일치가 없어요',
    result: '처리하지 못하고 남은 것이 있어요',
    resolved: '처리함',
    refused: '거절됨',
  },
  meanings: {
    amount_mismatch: {
      means:
        '주문과 다른 금액이 결제됐어요. 위조됐거나 주문 금액이 잘못 등록됐어요. 결제는 저장하지 않았어요.',
      todo: '두 금액을 비교하고 돈을 돌려주세요. 그 금액이 맞다면 새 주문을 등록해 주세요.',
    },
    currency_mismatch: {
      means: '주문과 다른 통화로 결제됐어요.',
      todo: '두 통화를 비교하고 돈을 돌려주세요.',
    },
    order_mismatch: {
      means: '알림이 말한 주문의 결제가 아니에요. 대개 진짜 알림을 다른 주문에 다시 보낸 거예요.',
      todo: '무시로 적어 주세요. 어느 주문에도 맞지 않는 결제만 환불돼요.',
    },
    unknown_order: {
      means: '결제가 말하는 주문이 등록되어 있지 않아요.',
      todo: '늦게 등록됐다면 POST /api/orders로 등록하고 다시 보기를 눌러 주세요. 그런 주문이 없다면 돈을 돌려주세요.',
    },
    unknown_payment: {
      means: '결제 서비스가 모르는 결제예요. 지어냈거나, 다른 계정의 결제이거나, 테스트 채널로 한 결제예요.',
      todo: '돌려줄 돈이 없어요. 무시로 적어 주세요.',
    },
    duplicate_payment: {
      means: '이미 결제된 주문에 두 번째 결제가 있어요.',
      todo: '이 결제를 돌려주세요. 주문은 다른 결제로 결제된 상태로 남아요.',
    },
    paid_after_close: {
      means: '취소되거나 닫힌 주문에 돈이 들어왔고, 주문은 다시 결제된 상태예요.',
      todo: '물건을 보내고 그대로 둔다고 적거나, 돈을 돌려주세요.',
    },
    status_went_back: {
      means: '결제 서비스가 전보다 앞선 상태를 두 번 보여 줬어요. 저장된 결제와 주문도 따라갔어요.',
      todo: '결제 서비스에 이유를 묻고, 보낸 물건을 확인한 뒤 그대로 둔다고 적어 주세요.',
    },
    foreign_billing_key: {
      means: '주문한 회원이 아닌 다른 회원의 카드로 결제됐어요. 주문은 결제된 것으로 세지 않아요.',
      todo: '돈을 돌려주세요. 두 회원이 동의했다면 그대로 둔다고 적어 주세요.',
    },
    dispute_opened: {
      means: '구매자가 카드사에 이 결제에 대한 이의를 제기했어요(차지백). 결제와 주문은 바뀌지 않았어요.',
      todo: '기한 안에 결제 서비스 콘솔이나 공문에 적힌 방법으로 소명해 주세요. 결과가 나오면 그대로 둔다고 적거나, 이미 돌려줬다고 적어 주세요.',
    },
    needs_review: {
      means: '결제 기록이 앞뒤가 맞지 않거나 판단에 필요한 것이 빠졌어요.',
      todo: '다시 보기를 눌러 주세요. 그대로면 돈을 돌려주거나, 콘솔에서 돌려주고 이미 돌려줬다고 적어 주세요.',
    },
  },
};
