// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Owned.sol";
import {Token, Registry as Names} from "./Token.sol";

/// How much may be taken at once.
uint256 constant LIMIT = 10 ether;

type Share is uint128;

error Refused(address who);

struct Order {
    address maker;
    Token token;
}

/// What a vault can do.
interface IVault {
    /// Takes money out.
    function withdraw(uint256 amount) external;
}

library Shares {
    // Rounds down.
    function toAmount(uint256 shares, uint256 price) internal pure returns (uint256) {
        return shares * price;
    }
}

/**
 * @title A place for money
 */
abstract contract Vault is Owned, IVault, Names.Listed {
    using Shares for uint256;

    uint256 public constant FEE = 3;
    mapping(address => uint256) private balances;

    enum State { Open, Closed }

    struct Entry {
        uint256 amount;
        Order order;
    }

    event Paid(address indexed from, uint256 amount);
    event Taken(address indexed to, uint256 amount);
    error Empty();
    error Late(uint256 by);

    modifier onlyOpen() {
        require(state == State.Open, "closed");
        _;
    }

    constructor(address owner) Owned(owner) {
        state = State.Open;
    }

    /// @notice Takes money out.
    /// @param amount How much
    function withdraw(uint256 amount) external override onlyOpen {
        if (amount > LIMIT) revert Refused(msg.sender);
        balances[msg.sender] -= amount;
        Token token = new Token(amount.toAmount(FEE));
        emit Taken(msg.sender, amount);
        token.send(msg.sender);
    }

    function price() public view virtual returns (uint256);

    receive() external payable {
        emit Paid(msg.sender, msg.value);
    }

    fallback() external {
        revert Empty();
    }
}

function double(uint256 a) pure returns (uint256) {
    return a * 2;
}
